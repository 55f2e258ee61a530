import { defineOperator, dimensions } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { firstLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { fuseStep } from './fuseStep.js';
import { LastGoodState, lastGoodKey } from './LastGoodState.js';
import { RunLists } from './RunLists.js';
import { contextOf, gridKey, planKey, type RunStatistics, statisticsKey } from './stateKeys.js';

export const beginRun = defineOperator({
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
    dt: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'time step',
    },
    rcut_inc: {
      type: 'quantity',
      dimension: dimensions.length,
      min: 0,
      doc: 'skin: lists reach this much farther than the cutoff; 0 rebuilds them in every step. Default: 0.12 of the cutoff, which the CPU engine then adapts to what lists and forces cost (not in deterministic runs)',
    },
    continue: { type: 'boolean', direction: 'output', doc: 'whether there are steps to do' },
  },
  requires: [gridKey],
  provides: [planKey, statisticsKey],
  async execute(context) {
    const { slots, state } = context;
    const skin = slots.rcut_inc ?? 'auto';
    const rcut = await firstLists(state, skin);
    const lists = new RunLists(state.get(gridKey), contextOf(state), { rcut, skin });
    const statistics: RunStatistics = {
      steps: 0,
      updates: lists.updates,
      startedAt: performance.now(),
      endedAt: performance.now(),
    };
    state.set(statisticsKey, statistics);
    state.endStep = slots.end_iteration;
    // Threads gain nothing by it: there calls are made one by one, and errors name their operator.
    if (contextOf(state).backend === 'webgpu') state.fuseStep = (calls) => fuseStep(state, calls);
    state.renewCalls();
    state.set(planKey, {
      lists,
      dt: slots.dt,
      firstStep: state.step,
      endStep: slots.end_iteration,
    });
    const lastGood = new LastGoodState(state, slots.dt);
    state.set(lastGoodKey, lastGood);
    await newestOnHost(state.get(gridKey), contextOf(state));
    lastGood.take();
    stampLists(state, rcut); // the plan decides what a stamp is
    context.set('continue', state.step < slots.end_iteration);
    state.reportProgress();
  },
});
