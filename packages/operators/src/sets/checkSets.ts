import {
  CorpuscleError,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type ValueSpec,
} from '@corpuscle/core';
import { projectedQuantities } from '../analyses/grid_projection/projectParticles.js';
import { unknownChoice } from '../io/frames/groupSlot.js';
import { known } from '../run/cutoffs.js';
import { unknownGroup } from './group/Groups.js';
import { knownFields } from './knownFields.js';
import { unknownRegion } from './region/Regions.js';
import { unknownField } from './region/rowsWithin.js';

/** Names of one kind: those that there are for the operator of a number, null where that is not known, and the error of another. */
interface Kind {
  readonly known: (operator: number) => readonly string[] | null;
  readonly unknown: (name: string, known: readonly string[]) => CorpuscleError;
}

/**
 * Names of groups and regions that no operator of the files makes, or none before where one must, of fields that particles do not have,
 * and where they stand. A run would fail when it comes to them, which may be after hours.
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
  const kinds: Readonly<Record<string, Kind>> = {
    group: { known: () => groups, unknown: unknownGroup },
    'earlier group': {
      known: (k) => groups && ['all', ...namesBy(nodes.slice(0, k), 'group')!],
      unknown: unknownGroup,
    },
    region: { known: () => regions, unknown: unknownRegion },
    'group or type': { known: () => choices, unknown: unknownChoice },
    field: { known: () => fields, unknown: unknownField },
    projection: { known: () => values, unknown: unknownField },
  };
  const found = new Map<string, CorpuscleError>();
  for (const [k, node] of nodes.entries())
    for (const slot of node.slots.keys()) {
      const spec = node.definition.slots[slot];
      const given = known(node, slot);
      if (!spec || !given) continue;
      const location = given.location ?? node.location;
      for (const [kind, name] of namesIn(spec, given.value)) {
        const names = kinds[kind]?.known(k);
        if (!names || names.includes(name)) continue;
        const { code, message } = kinds[kind]!.unknown(name, names);
        const place = `${location?.file}:${location?.line}:${location?.column} ${message}`;
        found.set(place, new CorpuscleError(code, message, { location }));
      }
    }
  return [...found.values()];
}

/** Names that an operator makes; null where one of them is a mistake by itself, so that others may mean it. */
function namesBy(nodes: readonly OperatorNode[], operator: string): readonly string[] | null {
  const makers = nodes.filter(({ definition }) => definition.name === operator);
  const names = makers.map((node) => known(node, 'name')?.value);
  return names.every((name) => typeof name === 'string') ? names : null;
}

/** The names in a value, with what its spec says they are names of. */
function* namesIn(spec: ValueSpec, value: unknown): Generator<readonly [kind: string, string]> {
  if (spec.type === 'any_of') for (const option of spec.options) yield* namesIn(option, value);
  else if (typeof value === 'string') {
    if (spec.type === 'string' && spec.names) yield [spec.names, value];
  } else if (Array.isArray(value)) {
    if (spec.type === 'list') for (const one of value) yield* namesIn(spec.of, one);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) {
      if (spec.type === 'record' && spec.names) yield [spec.names, name];
      const entry = spec.type === 'map' && spec.entries[name];
      if (entry) yield* namesIn(entry, one);
    }
}
