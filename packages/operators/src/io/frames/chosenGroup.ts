import type { SimulationState } from '@corpuscle/core';
import type { Group } from '../../analyses/coordination/Group.js';
import { findGroup, GROUP_MASK, groupNames } from '../../sets/group/Groups.js';
import { typeNames } from '../../system/placeParticles.js';
import { type ChosenGroup, unknownChoice } from './groupSlot.js';

/**
 * Looks a name up among the groups of a run, then among its types.
 * @throws CorpuscleError UNKNOWN_TYPE for the name of neither a group nor a type
 */
export function chosenGroup(state: SimulationState, group: Group): ChosenGroup {
  if (typeof group !== 'string' || group === 'all') return group;
  const bits = findGroup(state, group);
  if (bits !== null) return { field: GROUP_MASK, bits };
  const types = typeNames(state);
  if (types.includes(group)) return group;
  throw unknownChoice(group, ['all', ...groupNames(state), ...types]);
}
