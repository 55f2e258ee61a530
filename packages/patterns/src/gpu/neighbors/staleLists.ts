import type { Domain } from '@corpuscle/core';
import type { NeighborCall, Plan } from '../../plan/calls.js';
import type { DeviceLists } from './DeviceLists.js';
import { isBeyond } from './fastLimits.js';
import { nearOf } from './ListReach.js';

/** Why lists cannot be used at all, whatever has moved; null when they can. */
export function staleReason(
  lists: DeviceLists,
  call: Plan<NeighborCall>,
  box: Domain,
): string | null {
  const { grid, rcut, skin, force } = call;
  if (lists.sortVersion === -1) return 'first build';
  if (force) return 'a rebuild was asked for';
  const near = nearOf(grid, rcut);
  if (lists.rcut !== rcut || lists.near !== near || lists.skin !== skin)
    return 'the cutoff or the skin changed';
  if (lists.count !== grid.count) return 'the number of particles changed';
  if (lists.frame?.domain !== box || lists.isOfOtherBox) return 'the box changed';
  if (lists.sortVersion !== grid.sortVersion) return 'the particles were sorted elsewhere';
  return null;
}

/** Whether a particle has moved so far that lists may lack pairs, whatever the others did. */
export const isTooFar = (distance: number, skin: number): boolean => isBeyond(distance, skin / 2);

/** Why lists are stale after a particle has moved so far; null when they are not. */
export function movedReason(distance: number, skin: number): string | null {
  if (!isTooFar(distance, skin)) return null;
  return `a particle moved ${distance.toPrecision(3)} (more than half the skin, ${(skin / 2).toPrecision(3)})`;
}
