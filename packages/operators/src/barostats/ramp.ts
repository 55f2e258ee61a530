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
