import {
  CorpuscleError,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type SourceLocation,
} from '@corpuscle/core';
import { groupSlot as chosenSlot, unknownChoice } from '../io/frames/groupSlot.js';
import { known } from '../run/cutoffs.js';
import { groupSlot, unknownGroup } from './group/Groups.js';
import type { RegionExpression } from './region/Region.js';
import { unknownRegion } from './region/Regions.js';

/** Names that an operator uses. */
interface Uses {
  readonly groups: readonly string[];
  readonly regions: readonly string[];
  /** Groups or types of particles. */
  readonly choices: readonly string[];
}

/**
 * Names of groups and regions that no operator of the files makes, and where they stand. A run would fail when it comes to them,
 * which may be after hours.
 */
export function checkSets({ root, particleTypes }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const made = namesBy(nodes, 'group');
  const groups = made && ['all', ...made];
  const regions = namesBy(nodes, 'region');
  // Without particle_types a file of particles names the types.
  const types = particleTypes.names.length > 0 ? particleTypes.names : null;
  const choices = groups && types && [...groups, ...types];
  const found = new Map<string, CorpuscleError>();
  const note = ({ code, message }: CorpuscleError, location?: SourceLocation) => {
    const place = `${location?.file}:${location?.line}:${location?.column} ${message}`;
    found.set(place, new CorpuscleError(code, message, { location }));
  };
  for (const node of nodes)
    for (const slot of node.slots.keys()) {
      const location = known(node, slot)?.location ?? node.location;
      const uses = usesOf(node, slot);
      for (const name of missing(uses.groups, groups)) note(unknownGroup(name, groups!), location);
      for (const name of missing(uses.regions, regions))
        note(unknownRegion(name, regions!), location);
      for (const name of missing(uses.choices, choices))
        note(unknownChoice(name, choices!), location);
    }
  return [...found.values()];
}

/** Those of the names that are not among the others; none where these are not known. */
const missing = (names: readonly string[], made: readonly string[] | null): readonly string[] =>
  made ? names.filter((name) => !made.includes(name)) : [];

/** Names that an operator makes; null where one of them is a mistake by itself, so that others may mean it. */
function namesBy(nodes: readonly OperatorNode[], operator: string): readonly string[] | null {
  const makers = nodes.filter(({ definition }) => definition.name === operator);
  const names = makers.map((node) => known(node, 'name')?.value);
  return names.every((name) => typeof name === 'string') ? names : null;
}

const NONE: Uses = { groups: [], regions: [], choices: [] };

function usesOf(node: OperatorNode, slot: string): Uses {
  const { definition, isBuiltIn } = node;
  const value = known(node, slot)?.value;
  const spec = definition.slots[slot];
  if (value === undefined || spec === undefined) return NONE;
  const isGroup = isBuiltIn && slot === 'group' && spec.type === 'string';
  if (isGroup || spec === groupSlot.group) return { ...NONE, groups: [String(value)] };
  if (spec === chosenSlot) return { ...NONE, choices: typeof value === 'string' ? [value] : [] };
  if (!isBuiltIn) return NONE;
  if (slot === 'region' || slot === 'shape') return ofRegion(value as RegionExpression);
  if (GROUP_LISTS[definition.name]?.includes(slot))
    return { ...NONE, groups: value as readonly string[] };
  return NONE;
}

/** Slots that are lists of names of groups. */
const GROUP_LISTS: Readonly<Record<string, readonly string[]>> = {
  group: ['union', 'intersect', 'subtract'],
  thermo: ['groups'],
};

/** Names in a region, and in the regions that it is made of. */
function ofRegion(region: RegionExpression): Uses {
  if (typeof region === 'string') return { ...NONE, regions: [region] };
  const { group, union = [], intersection = [], difference = [], complement } = region;
  const inner = [...union, ...intersection, ...difference, ...(complement ? [complement] : [])];
  const parts = inner.map(ofRegion);
  return {
    ...NONE,
    groups: [...(group === undefined ? [] : [group]), ...parts.flatMap((part) => part.groups)],
    regions: parts.flatMap((part) => part.regions),
  };
}
