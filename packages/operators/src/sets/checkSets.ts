import {
  CorpuscleError,
  type GraphNode,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type ValueSpec,
} from '@corpuscle/core';
import { projectedQuantities } from '../analyses/grid_projection/projectParticles.js';
import { noField } from '../io/frames/chooseColumns.js';
import { unknownChoice } from '../io/frames/groupSlot.js';
import { known } from '../run/cutoffs.js';
import { lateGroup, unknownGroup } from './group/Groups.js';
import { knownFields } from './knownFields.js';
import { unknownRegion } from './region/Regions.js';
import { unknownField } from './region/rowsWithin.js';

/** Names of one kind: those that so many operators make, null where that is not known, and the error of another. */
interface Kind {
  readonly known: (use: Use) => readonly string[] | null;
  readonly unknown: (name: string, known: readonly string[], use: Use) => CorpuscleError;
}

/** An operator in its loop. */
interface Use {
  readonly node: OperatorNode;
  /** How many of all may have made names when it first runs. */
  readonly makers: number;
  /** Those that may have when it is prepared, where that is before others run. */
  readonly prepared: readonly OperatorNode[] | null;
}

/**
 * Names of groups and regions that no operator of the files makes, or only one that comes too late, of fields that particles do not
 * have, and where they stand. A run would fail when it comes to them, which may be after hours.
 */
export function checkSets({ root, particleTypes }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const regions = (makers: number) => namesBy(nodes.slice(0, makers), 'region');
  const groups = (makers: number) => {
    const made = namesBy(nodes.slice(0, makers), 'group');
    return made && ['all', ...made];
  };
  // Without particle_types a file of particles names the types.
  const types = particleTypes.names.length > 0 ? particleTypes.names : null;
  const fields = knownFields(nodes);
  const values = fields && [...projectedQuantities, ...fields];
  const kinds: Readonly<Record<string, Kind>> = {
    group: { known: ({ makers }) => groups(makers), unknown: unknownGroup },
    'earlier group': {
      known: ({ makers, prepared }) => {
        const made = prepared ? namesBy(prepared, 'group') : groups(makers);
        return made && ['all', ...made];
      },
      unknown: (name, made, { makers }) =>
        groups(makers)?.includes(name) ? lateGroup(name) : unknownGroup(name, made),
    },
    region: { known: ({ makers }) => regions(makers), unknown: unknownRegion },
    'group or type': {
      known: ({ makers }) => {
        const made = groups(makers);
        return made && types && [...made, ...types];
      },
      unknown: unknownChoice,
    },
    field: { known: () => fields, unknown: unknownField },
    column: {
      known: () =>
        nodes.some(({ definition }) => definition.name.startsWith('read_')) ? null : fields,
      unknown: noField,
    },
    projection: { known: () => values, unknown: unknownField },
  };
  const found = new Map<string, CorpuscleError>();
  for (const use of usesOf(root)) {
    const { node } = use;
    for (const slot of node.slots.keys()) {
      const spec = node.definition.slots[slot];
      const given = known(node, slot);
      if (!spec || !given) continue;
      const location = given.location ?? node.location;
      for (const [kind, name] of namesIn(spec, given.value)) {
        const names = kinds[kind]?.known(use);
        if (!names || names.includes(name)) continue;
        const { code, message } = kinds[kind]!.unknown(name, names, use);
        const place = `${location?.file}:${location?.line}:${location?.column} ${message}`;
        found.set(place, new CorpuscleError(code, message, { location }));
      }
    }
  }
  return [...found.values()];
}

/**
 * Operators in order, with how many of all may have made names when each first runs: those before it, or those up to the end of the
 * outermost loop that it is in, as they are prepared when this begins. Where a condition decides when that is, all of them.
 * @param prepared those before; null in batches that are prepared when the loop around them has begun
 */
function* usesOf(
  node: GraphNode,
  before = 0,
  makers?: number,
  prepared: OperatorNode[] | null = [],
): Generator<Use> {
  if (node.kind === 'operator') {
    yield { node, makers: makers ?? before, prepared: makers === Infinity ? null : prepared };
    prepared?.push(node);
    return;
  }
  const isLate = makers !== undefined && Boolean(node.loop ?? node.condition);
  let inside = makers;
  if (node.loop !== undefined) inside ??= before + countOf(node);
  else if (node.condition) inside ??= Infinity;
  let count = before;
  for (const child of node.body) {
    yield* usesOf(child, count, inside, isLate ? null : prepared);
    count += countOf(child);
  }
}

const countOf = (node: GraphNode): number => [...operatorsOf(node)].length;

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
