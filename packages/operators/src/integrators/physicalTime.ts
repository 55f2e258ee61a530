import {
  CorpuscleError,
  type SimulationState,
  type SourceLocation,
  stateKey,
} from '@corpuscle/core';
import { completed, type PatternHandle } from '@corpuscle/patterns';
import { planKey } from '../run/stateKeys.js';
import { usesKey } from './phaseOperator.js';

/** Time steps of one length: the time at a step, and how much each adds. */
export interface EvenSteps {
  readonly step: number;
  readonly time: number;
  readonly dt: number;
}

/** The clock of the present loop: whether it counts time where it computes, and its time steps where it does not. */
interface LoopClock {
  isMeasured: boolean;
  even: EvenSteps;
}

const clockKey = stateKey<LoopClock>('clock', 'put next_time_step into the loop');

/** A step begins: its integrator has a time of its own, or time steps are all the same. */
export function noteClock(state: SimulationState, isMeasured: boolean, even: EvenSteps): void {
  const clock = state.obtain(clockKey, () => ({ isMeasured, even }));
  clock.isMeasured = isMeasured;
  clock.even = even;
}

/** The time steps of the present loop, of one length; before it none. */
export function evenSteps(state: SimulationState): EvenSteps {
  const { step, time } = state;
  return state.find(clockKey)?.even ?? { step, time, dt: 0 };
}

/**
 * The physical time of the present step. Of an integrator that chooses its time steps it arrives when the device has made them;
 * nothing waits for it.
 */
export function physicalTime(state: SimulationState): PatternHandle<number> {
  const use = isTimeMeasured(state) ? measuringUse(state) : undefined;
  return use?.time ?? completed(state.time);
}

/** Makes `state.time` the time of the present step, before something is written that tells it. */
export function settleTime(state: SimulationState): void | Promise<void> {
  if (!isTimeMeasured(state)) return undefined;
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
 * The time at which an operator acts that needs time steps of one length.
 * @throws CorpuscleError INVALID_VALUE where the time is not known beforehand.
 */
export function knownTime(state: SimulationState, what: string): number {
  if (!isTimeMeasured(state)) return state.time;
  throw timeUnknown(what);
}

/** An operator that needs the time, where it is not known beforehand. */
export const timeUnknown = (what: string, location?: SourceLocation) =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${what} needs to know the time, which an integrator with time steps of its own finds on the device: use velocity_verlet`,
    location && { location },
  );

/** Whether the integrator of the present loop chooses its time steps. */
export const isTimeMeasured = (state: SimulationState): boolean =>
  state.find(clockKey)?.isMeasured ?? false;

/** The longest time step that it may choose; null where none is known. */
export const longestStep = (state: SimulationState): number | null =>
  measuringUse(state)?.longestStep ?? null;

/** The use of an integrator in the present run that counts time. */
function measuringUse(state: SimulationState) {
  const plan = state.find(planKey);
  const uses = [...(state.find(usesKey)?.values() ?? [])];
  return uses.find(({ use, begun }) => use.spec.time && begun === plan)?.use;
}
