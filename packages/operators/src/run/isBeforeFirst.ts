import type { SimulationState } from '@corpuscle/core';
import { planKey } from './stateKeys.js';

/**
 * Whether a run has not come to the step from which an operator acts. A run makes `dump_data` of its first state before the loop, where
 * schedules do not hold; what stands before a run acts in any case.
 */
export const isBeforeFirst = (state: SimulationState, from = 0): boolean =>
  state.step < from && state.find(planKey) !== undefined;
