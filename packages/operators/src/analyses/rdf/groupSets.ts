import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import { GROUP_MASK, groupsOf } from '../../sets/group/Groups.js';
import type { ParticleSets } from './SetPairs.js';

/** Every combination of groups is a label: more of them would make many. */
const MOST = 4;

/**
 * The groups of pairs as sets of particles: bit k of a label says that a particle is in the k-th group.
 * @throws CorpuscleError INVALID_VALUE for an unknown group, or more than four
 */
export function groupSets(
  state: SimulationState,
  pairs: readonly (readonly [string, string])[],
): ParticleSets {
  const names = [...new Set(pairs.flat())];
  const known = names.filter((name) => name !== 'all');
  if (known.length > MOST)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `radial_distribution takes ${MOST} groups at most, and there are ${known.length}: use it once more for the others`,
    );
  const bits = known.map((name) => groupsOf(state).bits(name));
  return {
    names,
    count: 2 ** known.length,
    fields: [GROUP_MASK],
    of: (grid) =>
      (grid.block(GROUP_MASK).array as Uint32Array)
        .subarray(0, grid.count)
        .map((mask) =>
          bits.reduce((label, bit, k) => label + ((mask & bit) !== 0 ? 2 ** k : 0), 0),
        ),
    has: (set, label) => names[set] === 'all' || (label & (2 ** known.indexOf(names[set]!))) !== 0,
  };
}

/** The types of the particles of one group as sets: others have a label of their own, which no set has. */
export function typesInGroup(
  state: SimulationState,
  types: readonly string[],
  group: string,
): ParticleSets {
  const bits = groupsOf(state).bits(group);
  const other = types.length;
  return {
    names: types,
    count: other + 1,
    fields: ['type', GROUP_MASK],
    of(grid) {
      const mask = grid.block(GROUP_MASK).array as Uint32Array;
      return (grid.block('type').array as Uint32Array)
        .subarray(0, grid.count)
        .map((type, row) => ((mask[row]! & bits) !== 0 ? type : other));
    },
    has: (set, label) => set === label,
  };
}
