import {
  defineOperator,
  dimensions,
  type OperatorContext,
  type OperatorDefinition,
  type SlotSpecs,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { firstLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { fuseStep } from './fuseStep.js';
import { LastGoodState, lastGoodKey } from './LastGoodState.js';
import { RunLists } from './RunLists.js';
import { contextOf, gridKey, planKey, type RunStatistics, statisticsKey } from './stateKeys.js';
import { timeStep } from './timeStep.js';

const common = {
  dt: timeStep,
  rcut_inc: {
    type: 'quantity',
    dimension: dimensions.length,
    min: 0,
    doc: 'skin: lists reach this much farther than the cutoff; 0 rebuilds them in every step. Default: 0.12 of the cutoff, which the CPU engine then adapts to what lists and forces cost (not in deterministic runs)',
  },
  continue: { type: 'boolean', direction: 'output', doc: 'whether there are steps to do' },
  first_step: { type: 'integer', direction: 'output', doc: 'the step at which the run began' },
  is_first_run: {
    type: 'boolean',
    direction: 'output',
    doc: 'whether no run of the simulation has begun before',
  },
} as const satisfies SlotSpecs;

/** `begin_run`: a run up to `end_iteration`. */
export const beginRun = beginOperator({
  name: 'begin_run',
  doc: 'Checks particles, cutoffs and box, builds the first neighbor lists, and says whether there are steps to do.',
  slots: {
    end_iteration: {
      type: 'integer',
      min: 0,
      required: true,
      mayChange: true,
      doc: 'step at which the run ends; one that goes on from a checkpoint counts from the start of the first',
    },
  },
  endOf: ({ slots }) => slots['end_iteration'] as number,
});

/** `begin_stage`: a run of so many steps, one of several in a file. */
export const beginStage = beginOperator({
  name: 'begin_stage',
  doc: 'The same as begin_run for a run that is told how many steps it has.',
  slots: {
    steps: { type: 'integer', min: 0, required: true, mayChange: true, doc: 'steps to do' },
  },
  endOf: ({ slots }, firstStep) => firstStep + (slots['steps'] as number),
});

/** How a run is begun that ends at a certain step. */
interface Beginning {
  readonly name: string;
  readonly doc: string;
  readonly slots: SlotSpecs;
  endOf(context: OperatorContext, firstStep: number): number;
}

function beginOperator({ name, doc, slots, endOf }: Beginning): OperatorDefinition {
  return defineOperator<SlotSpecs>({
    name,
    doc,
    slots: { ...slots, ...common },
    requires: [gridKey],
    provides: [planKey, statisticsKey],
    async execute(context) {
      const { state } = context;
      // One that goes on from a checkpoint has begun before.
      const began = state.isResuming ? (context.slots['first_step'] as number) : state.step;
      if (!state.isResuming) context.set('is_first_run', state.find(planKey) === undefined);
      context.set('first_step', began);
      await begin(context, began, endOf(context, began));
    },
  });
}

async function begin(
  { slots, state, set }: OperatorContext,
  firstStep: number,
  endStep: number,
): Promise<void> {
  const skin = (slots['rcut_inc'] as number | undefined) ?? 'auto';
  const dt = slots['dt'] as number;
  const ctx = contextOf(state);
  const grid = state.get(gridKey);
  const rcut = await firstLists(state, skin);
  state.find(planKey)?.lists.close();
  const lists = new RunLists(grid, ctx, { rcut, skin });
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
  state.set(planKey, { lists, dt, firstStep, endStep });
  const lastGood = new LastGoodState(state, dt);
  state.set(lastGoodKey, lastGood);
  await newestOnHost(grid, ctx);
  lastGood.take(grid, state.step, state.time);
  stampLists(state, rcut); // the plan decides what a stamp is
  set('continue', state.step < endStep);
  state.reportProgress();
}
