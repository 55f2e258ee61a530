import type { Grid, SimulationState } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { isMotionSound } from '../dynamics/checkRun.js';
import { reportBlowUp } from '../particles/reportBlowUp.js';
import { contextOf, gridKey, statisticsKey } from './stateKeys.js';

/**
 * Counts the list updates that are done, and looks for a blow-up in them.
 * @throws CorpuscleError NOT_FINITE naming the step and a particle.
 */
export function checkUpdates(state: SimulationState): void | Promise<void> {
  const grid = state.get(gridKey);
  const { updates } = state.get(statisticsKey);
  for (let done = updates.takeDone(); done; done = updates.takeDone())
    if (!isMotionSound(done.update, grid)) return stopAt(state, grid, done.step);
  return undefined;
}

async function stopAt(state: SimulationState, grid: Grid, step: number): Promise<void> {
  await newestOnHost(grid, contextOf(state));
  reportBlowUp(grid, step);
}
