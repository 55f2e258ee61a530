import type { Grid, SimulationState } from '@corpuscle/core';
import type { ExecutionContext, ParticleAdaptations } from '@corpuscle/patterns';
import { GROUP_MASK, groupOptions, groupsOf } from '../../sets/group/Groups.js';
import { fieldById } from './perParticleTable.js';

/** The particles of a group, for an analysis that gives every one of them a number. */
export interface GroupMembers {
  /** Restricts calls to them. */
  readonly options: ParticleAdaptations;
  /** Makes a block of a grid that they shall write 0 for all others. */
  clear(grid: Grid, block: string): void;
  /** Their values, of a field by id. */
  of(values: Float64Array): Float64Array;
  /** The field with no number for all others: null in files. */
  only(values: Float64Array): Float64Array;
}

const everyone: GroupMembers = {
  options: {},
  clear: () => {},
  of: (values) => values,
  only: (values) => values,
};

/** @throws CorpuscleError INVALID_VALUE for a name that no group has */
export async function groupMembers(
  state: SimulationState,
  grid: Grid,
  ctx: ExecutionContext,
  group: string,
): Promise<GroupMembers> {
  if (group === 'all') return everyone;
  const options = groupOptions(state, group);
  const bits = groupsOf(state).bits(group);
  const mask = await fieldById(grid, ctx, GROUP_MASK);
  const has = (k: number): boolean => (mask[k]! & bits) !== 0;
  return {
    options,
    clear(other, name) {
      const block = other.block(name);
      block.array.fill(0 as never);
      block.rewritten();
    },
    of: (values) => values.filter((_, k) => has(k)),
    only: (values) => values.map((value, k) => (has(k) ? value : Number.NaN)),
  };
}
