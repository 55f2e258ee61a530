import {
  defineOperator,
  dimensions,
  type OperatorContext,
  type OperatorDefinition,
  type SlotSpecs,
} from '@corpuscle/core';
import { findRunBox } from '../box/RunBox.js';
import { firstLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { fuseStep } from './fuseStep.js';
import { LastGoodState, lastGoodKey } from './LastGoodState.js';
import { listBackendOf } from './listBackend.js';
import { RunLists } from './RunLists.js';
import { contextOf, gridKey, planKey, type RunStatistics, statisticsKey } from './stateKeys.js';
import { timeStep } from './timeStep.js';

const time = { type: 'quantity', dimension: dimensions.time } as const;

const common = {
  dt: timeStep,
  rcut_inc: {
    type: 'quantity',
    dimension: dimensions.length,
    min: 0,
    doc: 'skin: lists reach this much farther than the cutoff; 0 rebuilds them in every step. Default: 0.12 of the cutoff, which the CPU engine then adapts to what lists and forces cost (not in deterministic runs)',
  },
  continue: { type: 'boolean', direction: 'output', doc: 'whether there are steps to do' },
  first_time: { ...time, direction: 'output', doc: 'the time at which the run began' },
  first_step: { type: 'integer', direction: 'output', doc: 'the step at which the run began' },
  is_first_run: {
    type: 'boolean',
    direction: 'output',
    doc: 'whether no run of the simulation has begun before',
  },
} as const satisfies SlotSpecs;

/** `begin_run`: a run up to `end_iteration`, or `end_time`. */
export const beginRun = beginOperator({
  name: 'begin_run',
  doc: 'Checks particles, cutoffs and box, builds the first neighbor lists, and says whether there are steps to do.',
  slots: {
    end_iteration: {
      type: 'integer',
      min: 0,
      mayChange: true,
      doc: 'step at which the run ends; one that goes on from a checkpoint counts from the start of the first',
    },
    end_time: {
      ...time,
      mayChange: true,
      doc: 'time at which the run ends, with the step that reaches it; with end_iteration whichever comes first',
    },
  },
  needsOneOf: ['end_iteration', 'end_time'],
  endOf: ({ slots }) => ({
    step: (slots.end_iteration as number | undefined) ?? null,
    time: (slots.end_time as number | undefined) ?? null,
  }),
});

/** `begin_stage`: a run of so many steps, one of several in a file. */
export const beginStage = beginOperator({
  name: 'begin_stage',
  doc: 'The same as begin_run for a run that is told how many steps it has, or how long it is.',
  slots: {
    steps: { type: 'integer', min: 0, mayChange: true, doc: 'steps to do' },
    duration: {
      ...time,
      min: 0,
      mayChange: true,
      doc: 'time to go on for; with steps whichever comes first',
    },
  },
  needsOneOf: ['steps', 'duration'],
  endOf({ slots }, first) {
    const { steps, duration } = slots as { steps?: number; duration?: number };
    return {
      step: steps === undefined ? null : first.step + steps,
      time: duration === undefined ? null : first.time + duration,
    };
  },
});

/** A step and its time; null where nothing is said of it. */
interface Moment<T = number> {
  readonly step: T;
  readonly time: T;
}

/** How a run is begun that ends at a certain step or time. */
interface Beginning {
  readonly name: string;
  readonly doc: string;
  readonly slots: SlotSpecs;
  /** Slots of which one must be given. */
  readonly needsOneOf: readonly [string, string];
  endOf(context: OperatorContext, first: Moment): Moment<number | null>;
}

function beginOperator({ name, doc, slots, needsOneOf, endOf }: Beginning): OperatorDefinition {
  return defineOperator<SlotSpecs>({
    name,
    doc,
    slots: { ...slots, ...common },
    requires: [gridKey],
    provides: [planKey, statisticsKey],
    validate({ slots: given, fail }) {
      if (needsOneOf.some((slot) => given[slot] !== undefined)) return;
      const [step, time] = needsOneOf;
      fail('', 'MISSING_VALUE', `the run has no end: give ${step}, or ${time}`);
    },
    async execute(context) {
      const { state } = context;
      // One that goes on from a checkpoint has begun before.
      const { first_step, first_time } = context.slots;
      const first: Moment = state.isResuming
        ? { step: first_step as number, time: (first_time as number | undefined) ?? state.time }
        : { step: state.step, time: state.time };
      if (!state.isResuming) context.set('is_first_run', state.find(planKey) === undefined);
      context.set('first_step', first.step);
      context.set('first_time', first.time);
      await begin(context, first, endOf(context, first));
    },
  });
}

async function begin(
  { slots, state, set }: OperatorContext,
  first: Moment,
  end: Moment<number | null>,
): Promise<void> {
  const skin = (slots.rcut_inc as number | undefined) ?? 'auto';
  const dt = slots.dt as number;
  const lastStep = end.step ?? Number.MAX_SAFE_INTEGER;
  const inTime = end.time === null ? Number.POSITIVE_INFINITY : stepsUntil(end.time, state, dt);
  const endStep = Math.min(lastStep, inTime);
  const firstStep = first.step;
  const ctx = contextOf(state);
  const grid = state.get(gridKey);
  const rcut = await firstLists(state, skin);
  state.find(planKey)?.lists.close();
  const backend = listBackendOf(state.simulation, ctx.backend);
  const lists = new RunLists(grid, ctx, { rcut, skin, backend });
  const before = state.find(statisticsKey);
  const statistics: RunStatistics = {
    steps: before?.steps ?? 0,
    updates: lists.updates,
    startedAt: before?.startedAt ?? performance.now(),
    endedAt: performance.now(),
  };
  if (before) lists.updates.rebuilds += before.updates.rebuilds;
  state.set(statisticsKey, statistics);
  state.endStep = endStep;
  // Threads gain nothing by it: there calls are made one by one, and errors name their operator.
  // A compiler of a device may round differently where a kernel computes energies too.
  if (ctx.backend === 'webgpu' && ctx.deterministic) state.alwaysNeeded = ['energy', 'virial'];
  if (ctx.backend === 'webgpu') state.fuseStep = (calls) => fuseStep(state, calls);
  state.renewCalls();
  state.set(planKey, { lists, dt, firstStep, endStep, endTime: end.time, lastStep });
  findRunBox(state)?.needLists();
  const lastGood = new LastGoodState(state, dt);
  state.set(lastGoodKey, lastGood);
  await lastGood.takeFirst();
  stampLists(state, rcut); // the plan decides what a stamp is
  set('continue', state.step < endStep);
  state.reportProgress();
}

/** The step that reaches a time. What is missing to it by rounding is no step. */
function stepsUntil(time: number, now: Moment, dt: number): number {
  const steps = (time - now.time) / dt;
  const whole = Math.round(steps);
  const isWhole = Math.abs(steps - whole) < 1e-9 * Math.max(1, Math.abs(steps));
  return now.step + Math.max(0, isWhole ? whole : Math.ceil(steps));
}
