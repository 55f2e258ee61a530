import type { SimulationState } from '@corpuscle/core';
import { planKey } from '../run/stateKeys.js';

/** A number, or the first and the last of a ramp over the steps of the run, at a step, by default the present one. */
export function rampedAt(
  given: number | readonly number[],
  state: SimulationState,
  step = state.step,
): number {
  if (typeof given === 'number') return given;
  const [first, last] = given as readonly [number, number];
  const plan = state.find(planKey);
  if (!plan) return first;
  const part = (step - plan.firstStep) / Math.max(1, plan.endStep - plan.firstStep);
  return first + (last - first) * Math.min(1, Math.max(0, part));
}

/** Numbers of ramps for functors that have a clock: where the run begins, and how long it is. */
export const rampSteps = { firstLow: 'real', firstHigh: 'real', steps: 'real' } as const;

/** Those of the present run; without one a ramp stays where it begins. */
export function rampStepsOf(state: SimulationState) {
  const plan = state.find(planKey);
  const firstStep = plan?.firstStep ?? 0;
  return {
    firstLow: firstStep % 65536,
    firstHigh: Math.floor(firstStep / 65536),
    steps: plan ? Math.max(1, plan.endStep - firstStep) : Number.MAX_SAFE_INTEGER,
  };
}
