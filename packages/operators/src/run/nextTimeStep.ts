import {
  CorpuscleError,
  defineOperator,
  type OperatorContext,
  type SimulationState,
  type SlotSpecs,
} from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { forcesAfterChange } from '../forces/currentLedger.js';
import { isTimeMeasured, noteClock, settleTime } from '../integrators/physicalTime.js';
import { breathe, mustWait } from './checkRun.js';
import { areForcesOfOthers } from './freshness.js';
import { lastGoodKey } from './LastGoodState.js';
import { type EndWatch, forgetEnd, watchEnd } from './measuredEnd.js';
import { contextOf, planKey, statisticsKey } from './stateKeys.js';
import { timeStep } from './timeStep.js';

/** Milliseconds between two turns for timers, signals and the progress line. */
const BREATH = 50;

/** Once: the platform looks its global up whenever it is named. */
const clock = performance;

const clockSlots = {
  dt: timeStep,
  measured: {
    type: 'boolean',
    direction: 'private',
    default: false,
    doc: 'whether the integrator counts the time, as time steps differ',
  },
} as const satisfies SlotSpecs;

export const nextTimeStep = defineOperator({
  name: 'next_time_step',
  doc: 'Advances the clock by one step.',
  slots: clockSlots,
  requires: [planKey],
  hostOnly: true,
  prepare: ({ state, slots }): Clock => ({
    step: state.step,
    time: state.time,
    last: state.step,
    dt: slots.dt,
  }),
  save: ({ own }) => ({ ...own }),
  restore({ own }, saved) {
    Object.assign(own, saved);
  },
  execute: (context) => advance(context, 1),
  executeMany: advance,
});

function advance(
  { slots, state, own }: OperatorContext<typeof clockSlots, Clock>,
  steps: number,
): void {
  // A frame that was read has set the clock, or an operator has changed the time step.
  if (state.step !== own.last || slots.dt !== own.dt)
    Object.assign(own, { step: state.step, time: state.time, dt: slots.dt });
  state.step += steps;
  own.last = state.step;
  noteClock(state, slots.measured, own);
  const statistics = state.find(statisticsKey);
  if (statistics) statistics.steps += steps; // here, as a run that goes on may do so in the middle of a step
  if (slots.measured) {
    forgetEnd(state, state.get(planKey));
    Object.assign(own, { step: state.step, time: state.time });
    return;
  }
  state.time = own.time + (state.step - own.step) * slots.dt; // a sum of steps would drift
}

const endSlots = {
  continue: { type: 'boolean', direction: 'input_output', doc: 'whether there are steps to do' },
} as const satisfies SlotSpecs;

export const endTimeStep = defineOperator({
  name: 'end_time_step',
  doc: 'Ends a step: reports progress and says whether there are more.',
  slots: endSlots,
  requires: [planKey, statisticsKey],
  prepare: (): Breath => ({ at: clock.now(), steps: -1, nextLook: 0 }),
  hostOnly: ({ state }) =>
    hasMore(state) &&
    !areForcesOfOthers(state) &&
    (state.get(planKey).endTime === null || !isTimeMeasured(state)),
  steadyUntil: ({ state }) => state.endStep ?? Number.POSITIVE_INFINITY,
  executeMany: finishStep, // that of the last one says it all
  execute(context) {
    const { state, own } = context;
    const looked = watchEnd(state, state.get(planKey), own);
    // The next step begins with forces of its particles: others may have come since those of this one.
    const computed = forcesAfterChange(state);
    if (computed) return Promise.all([looked, computed]).then(() => finishStep(context));
    return looked ? looked.then(() => finishStep(context)) : finishStep(context);
  },
});

/** Whether there are steps after this one. */
const hasMore = (state: SimulationState): boolean =>
  state.step < (state.endStep ?? Number.POSITIVE_INFINITY) && !state.isInterrupted;

function finishStep(context: OperatorContext<typeof endSlots, Breath>): void | Promise<void> {
  const { state, own } = context;
  const { steps } = state.get(statisticsKey);
  if (steps === own.steps)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the loop would go on for ever: nothing in a step advances the clock (step ${state.step}); numerical_scheme needs an integrator, for example [velocity_verlet, …], or next_time_step in batches of your own`,
    );
  own.steps = steps;
  const more = hasMore(state);
  context.set('continue', more);
  state.reportProgress();
  const ctx = contextOf(state);
  const lastGood = state.find(lastGoodKey);
  if (lastGood?.isDueForAll) return lastGood.takeForAll().then(() => turn(ctx, state, own, more));
  if (more && clock.now() - own.at < BREATH && !mustWait(ctx)) return undefined;
  return turn(ctx, state, own, more);
}

/** Where the clock was set, and the last step it showed. */
type Clock = {
  step: number;
  time: number;
  last: number;
  /** The time step since. */
  dt: number;
};

interface Breath extends EndWatch {
  at: number;
  /** Steps that the run had made when the last one ended; -1 for none: a run may go on in the middle of one. */
  steps: number;
}

/**
 * Lets timers and signals in. On a device the loop goes on when its calls have been started, which bounds how far it runs
 * ahead and never leaves the device idle; only at the end everything is awaited.
 */
async function turn(
  ctx: ExecutionContext,
  state: SimulationState,
  own: Breath,
  more: boolean,
): Promise<void> {
  const statistics = state.get(statisticsKey);
  if (!more) {
    await statistics.updates.settled();
    await settleTime(state);
  }
  await state.find(lastGoodKey)?.takeOnCpu();
  await breathe(ctx);
  own.at = statistics.endedAt = clock.now();
}
