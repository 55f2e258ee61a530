import {
  CorpuscleError,
  didYouMean,
  type Grid,
  knownSlots,
  operatorsOf,
  type Simulation,
  type SimulationState,
  stateKey,
} from '@corpuscle/core';
import { newestOnHost, type ParticleAdaptations } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../../run/stateKeys.js';

/** The field that holds the groups of a particle: bit k for group k, bit 0 for all. */
export const GROUP_MASK = 'group_mask';

/** The names of groups. Group k is bit k of `group_mask`; group 0 is `all`. */
export class Groups {
  readonly #names: string[] = ['all'];
  readonly #later: readonly string[];

  /** @param later names that operators may give later on */
  constructor(later: readonly string[] = []) {
    this.#later = later;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** The bits of a group, which is made if there is none of this name. @throws CorpuscleError INVALID_VALUE for the 33rd. */
  make(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return (1 << known) >>> 0;
    if (this.#names.length === 32)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `'${name}' would be the 32nd group beside all, and there is room for 31: use one of them again`,
      );
    this.#names.push(name);
    return (1 << (this.#names.length - 1)) >>> 0;
  }

  /** The bits of a group. @throws CorpuscleError INVALID_VALUE for a name that no group has. */
  bits(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return (1 << known) >>> 0;
    throw this.#later.includes(name) ? lateGroup(name) : unknownGroup(name, this.#names);
  }
}

/** The error of a name that no group has. */
export const unknownGroup = (name: string, groups: readonly string[]): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `there is no group '${name}'${didYouMean(name, groups, `put group: { name: ${name}, … } before the operators that use it`)}`,
  );

/** The error of a group that is made after what uses it has begun. */
export const lateGroup = (name: string): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `group '${name}' is used before it is made: put group: { name: ${name}, … } before what uses it, for instance into setup_system`,
  );

const groupsKey = stateKey<Groups>('groups', 'put group before the operators that use it');

/** The groups of a run, and their field in the grid. */
export function groupsOf(state: SimulationState): Groups {
  addGroupMask(state.get(gridKey));
  return state.obtain(groupsKey, () => new Groups(namesIn(state.simulation)));
}

/** The groups that operators of a simulation make, as far as its file names them. */
const namesIn = ({ root }: Simulation): readonly string[] =>
  [...operatorsOf(root)].flatMap((node) => {
    const { name } = node.definition.name === 'group' ? knownSlots(node) : {};
    return typeof name === 'string' ? [name] : [];
  });

/** The bits of a group that may not be there; null where none has this name. */
export function findGroup(state: SimulationState, name: string): number | null {
  const groups = state.find(groupsKey);
  return groups?.names.includes(name) ? groups.bits(name) : null;
}

/** The names of the groups that a run has so far, beside all. */
export const groupNames = (state: SimulationState): readonly string[] =>
  state.find(groupsKey)?.names.slice(1) ?? [];

/** Makes sure that particles have the field of groups. */
export function addGroupMask(grid: Grid): void {
  grid.addBlock({ name: GROUP_MASK, type: 'u32', width: 1, members: [GROUP_MASK] });
}

/** A slot for operators that can act on a part of the particles; see `groupOptions`. */
export const groupSlot = {
  group: {
    type: 'string',
    names: 'group',
    default: 'all',
    doc: 'the particles it acts on: all, or a group made by the operator group',
  },
} as const;

/** The same for operators that look their group up when they are prepared: in a loop it must be made before them. */
export const earlierGroupSlot = { group: { ...groupSlot.group, names: 'earlier group' } } as const;

/**
 * Options that restrict a call to a group, for calls over particles and, with `central`, for calls over pairs. Nothing is added
 * for `all`.
 *
 * @throws CorpuscleError INVALID_VALUE for a name that no group has
 * @example
 * prepareCellParticles(grid, kick, ctx, { params, ...groupOptions(state, slots.group) });
 */
export function groupOptions(state: SimulationState, group: string): ParticleAdaptations {
  if (group === 'all') return {};
  const bits = groupsOf(state).bits(group);
  return { particleFilter: { central: { field: GROUP_MASK, bits } } };
}

/**
 * Rows of the particles of a group, ascending. The host copy of the field must be current.
 * @throws CorpuscleError INVALID_VALUE for a name that no group has
 */
export function groupRows(state: SimulationState, group: string): Uint32Array {
  const grid = state.get(gridKey);
  const rows = new Uint32Array(grid.count);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  if (group === 'all') return rows;
  const bits = groupsOf(state).bits(group);
  const mask = grid.block(GROUP_MASK).array as Uint32Array;
  return rows.filter((row) => (mask[row]! & bits) !== 0);
}

/** The same, after the field has been fetched. */
export async function currentRows(
  state: SimulationState,
  grid: Grid,
  group: string,
): Promise<Uint32Array> {
  if (group !== 'all') {
    addGroupMask(grid);
    await newestOnHost(grid, contextOf(state), [GROUP_MASK]);
  }
  return groupRows(state, group);
}
