import {
  CorpuscleError,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type SourceLocation,
} from '@corpuscle/core';
import { projectedQuantities } from '../analyses/grid_projection/projectParticles.js';
import { groupSlot as chosenSlot, unknownChoice } from '../io/frames/groupSlot.js';
import { known } from '../run/cutoffs.js';
import { groupSlot, unknownGroup } from './group/Groups.js';
import { knownFields } from './knownFields.js';
import type { RegionExpression } from './region/Region.js';
import { unknownRegion } from './region/Regions.js';
import { unknownField } from './region/rowsWithin.js';

/** Names that an operator uses. */
interface Uses {
  readonly groups: readonly string[];
  readonly regions: readonly string[];
  /** Groups or types of particles. */
  readonly choices: readonly string[];
  readonly fields: readonly string[];
  /** Fields, or other quantities of particles on a grid of voxels. */
  readonly values: readonly string[];
}

/**
 * Names of groups and regions that no operator of the files makes (for the table of thermo: none before it), of fields that particles do not have, and where they stand. A run
 * would fail when it comes to them, which may be after hours.
 */
export function checkSets({ root, particleTypes }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const made = namesBy(nodes, 'group');
  const groups = made && ['all', ...made];
  const regions = namesBy(nodes, 'region');
  // Without particle_types a file of particles names the types.
  const types = particleTypes.names.length > 0 ? particleTypes.names : null;
  const choices = groups && types && [...groups, ...types];
  const fields = knownFields(nodes);
  const values = fields && [...projectedQuantities, ...fields];
  const found = new Map<string, CorpuscleError>();
  const note = ({ code, message }: CorpuscleError, location?: SourceLocation) => {
    const place = `${location?.file}:${location?.line}:${location?.column} ${message}`;
    found.set(place, new CorpuscleError(code, message, { location }));
  };
  for (const [k, node] of nodes.entries()) {
    // The table has its columns before its first row.
    const isTable = node.definition.name === 'thermo';
    const there = groups && isTable ? ['all', ...namesBy(nodes.slice(0, k), 'group')!] : groups;
    for (const slot of node.slots.keys()) {
      const location = known(node, slot)?.location ?? node.location;
      const uses = usesOf(node, slot);
      for (const name of missing(uses.groups, there)) note(unknownGroup(name, there!), location);
      for (const name of missing(uses.regions, regions))
        note(unknownRegion(name, regions!), location);
      for (const name of missing(uses.choices, choices))
        note(unknownChoice(name, choices!), location);
      for (const name of missing(uses.fields, fields)) note(unknownField(name, fields!), location);
      for (const name of missing(uses.values, values)) note(unknownField(name, values!), location);
    }
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

const NONE: Uses = { groups: [], regions: [], choices: [], fields: [], values: [] };

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
  if (definition.name === 'set' && slot === 'fields')
    return { ...NONE, fields: Object.keys(value as object) };
  if (VALUES[definition.name] === slot) return { ...NONE, values: [value as string[]].flat() };
  if (GROUP_LISTS[definition.name]?.includes(slot))
    return { ...NONE, groups: (value as readonly (string | readonly string[])[]).flat() };
  return NONE;
}

/** Slots that are lists of names of groups, or of pairs of them. */
const GROUP_LISTS: Readonly<Record<string, readonly string[]>> = {
  group: ['union', 'intersect', 'subtract'],
  thermo: ['groups'],
  radial_distribution: ['groups'],
};

/** Slots of projections: a value, or a list of them. */
const VALUES: Readonly<Record<string, string>> = {
  grid_projection: 'fields',
  grid_histogram: 'field',
  cc_label: 'field',
};

/** Names in a region, and in the regions that it is made of. */
function ofRegion(region: RegionExpression): Uses {
  if (typeof region === 'string') return { ...NONE, regions: [region] };
  const { group, field, union = [], intersection = [], difference = [], complement } = region;
  const inner = [...union, ...intersection, ...difference, ...(complement ? [complement] : [])];
  const parts = inner.map(ofRegion);
  return {
    ...NONE,
    groups: [...(group === undefined ? [] : [group]), ...parts.flatMap((part) => part.groups)],
    regions: parts.flatMap((part) => part.regions),
    fields: [...(field ? [field.name] : []), ...parts.flatMap((part) => part.fields)],
  };
}
