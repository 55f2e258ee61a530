import type { SimulationState } from '@corpuscle/core';
import { isTimeMeasured, longestStep, physicalTime } from '../integrators/physicalTime.js';
import type { RunPlan } from './stateKeys.js';

/** Steps that need not be looked at: the end is not there before. */
export interface EndWatch {
  nextLook: number;
}

/** Plans whose estimated end has been forgotten. */
const open = new WeakSet<RunPlan>();

/** A step begins, of an integrator that chooses its time steps: at first it is unknown which one is the last. */
export function forgetEnd(state: SimulationState, plan: RunPlan): void {
  const { endTime, lastStep } = plan;
  if (endTime === null || open.has(plan)) return;
  open.add(plan);
  state.endStep = lastStep < Number.MAX_SAFE_INTEGER ? lastStep : undefined;
}

/**
 * Looks after a step whether the end of the run is reached, where an integrator chooses its time steps. The step that follows is then
 * known to be the last, so that forces compute what the last rows need. The time is awaited where it may have come only.
 */
export function watchEnd(
  state: SimulationState,
  { endTime }: RunPlan,
  watch: EndWatch,
): void | Promise<void> {
  if (endTime === null || !isTimeMeasured(state)) return undefined;
  if (state.step === state.endStep || state.step < watch.nextLook) return undefined;
  const look = (time: number): void => {
    const longest = longestStep(state);
    const left = endTime - time;
    if (left <= 0) state.endStep = state.step + 1;
    else watch.nextLook = state.step + Math.max(1, longest ? Math.floor(left / longest) : 1);
  };
  const handle = physicalTime(state);
  if (handle.done) return look(handle.value);
  return handle.wait().then(look);
}
