import { CorpuscleError, type SimulationState, stateKey } from '@corpuscle/core';
import { completed, type PatternHandle } from '@corpuscle/patterns';
import { planKey } from '../run/stateKeys.js';
import { usesKey } from './phaseOperator.js';

/** Whether the present loop counts time where it computes. */
const clockKey = stateKey<{ isMeasured: boolean }>('clock', 'put next_time_step into the loop');

/** A step begins: its integrator has a time of its own, or time steps are all the same. */
export function noteClock(state: SimulationState, isMeasured: boolean): void {
  state.obtain(clockKey, () => ({ isMeasured })).isMeasured = isMeasured;
}

/**
 * The physical time of the present step. Of an integrator that chooses its time steps it arrives when the device has made them;
 * nothing waits for it.
 */
export function physicalTime(state: SimulationState): PatternHandle<number> {
  const use = state.find(clockKey)?.isMeasured ? measuringUse(state) : undefined;
  return use?.time ?? completed(state.time);
}

/** Makes `state.time` the time of the present step, before something is written that tells it. */
export function settleTime(state: SimulationState): void | Promise<void> {
  if (!state.find(clockKey)?.isMeasured) return undefined;
  const handle = physicalTime(state);
  if (handle.done) {
    state.time = handle.value;
    return undefined;
  }
  return handle.wait().then((time) => {
    state.time = time;
  });
}

/**
 * The time at which an operator acts that moves something by itself.
 * @throws CorpuscleError INVALID_VALUE where the time is not known beforehand.
 */
export function knownTime(state: SimulationState, what: string): number {
  if (!state.find(clockKey)?.isMeasured) return state.time;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${what} needs to know the time, which an integrator with time steps of its own finds on the device: use velocity_verlet`,
  );
}

/** The use of an integrator in the present run that counts time. */
function measuringUse(state: SimulationState) {
  const plan = state.find(planKey);
  const uses = [...(state.find(usesKey)?.values() ?? [])];
  return uses.find(({ use, begun }) => use.spec.time && begun === plan)?.use;
}
