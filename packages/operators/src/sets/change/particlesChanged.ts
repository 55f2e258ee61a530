import { type SimulationState, stateKey } from '@corpuscle/core';
import { currentLists } from '../../run/currentLists.js';
import { dropForces, dropLists, noteOtherParticles } from '../../run/freshness.js';
import { gridKey, planKey } from '../../run/stateKeys.js';

/** The least id that no particle of the run has had. */
const nextIdKey = stateKey<{ id: number }>('next id', 'it exists once particles are created');

/** Gives ids that no particle of the run has had, as far as the run knows; host copies must be current. */
export function newIds(state: SimulationState, count: number): number {
  const next = state.obtain(nextIdKey, () => ({ id: 0 }));
  noteIds(state);
  const first = next.id;
  next.id += count;
  return first;
}

/** Notes the ids that there are, before some of them go. */
export function noteIds(state: SimulationState): void {
  const next = state.obtain(nextIdKey, () => ({ id: 0 }));
  for (const id of state.get(gridKey).values('id')) next.id = Math.max(next.id, id + 1);
}

/** For checkpoints. */
export const savedNextId = (state: SimulationState): number => state.find(nextIdKey)?.id ?? 0;
export const restoreNextId = (state: SimulationState, id: number): void =>
  state.set(nextIdKey, { id: Math.max(id, savedNextId(state)) });

/**
 * Other particles are in the grid: lists and forces belong to those before, and calls are prepared again. In a run the lists are made at
 * once; forces are those of the next evaluation.
 */
export async function particlesChanged(state: SimulationState): Promise<void> {
  noteOtherParticles(state);
  dropLists(state);
  dropForces(state);
  if (state.find(planKey)) await currentLists(state);
}
