import type { SimulationState } from '@corpuscle/core';
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
  for (const { step, update } of state.get(statisticsKey).updates.done())
    if (!isMotionSound(update, grid))
      return newestOnHost(grid, contextOf(state)).then(() => reportBlowUp(grid, step));
  return undefined;
}
