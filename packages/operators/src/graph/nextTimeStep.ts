import { defineOperator, dimensions } from '@corpuscle/core';
import type { PatternHandle } from '@corpuscle/patterns';
import { planKey, type RunStatistics, statisticsKey } from './stateKeys.js';

/** Milliseconds between two turns for timers, signals and the progress line. */
const BREATH = 50;

export const nextTimeStep = defineOperator({
  name: 'next_time_step',
  doc: 'Advances the clock by one step.',
  slots: {
    dt: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'time step',
    },
  },
  requires: [planKey],
  prepare: ({ state }) => ({ step: state.step, time: state.time }),
  execute({ slots, state, own }) {
    state.step++;
    state.time = own.time + (state.step - own.step) * slots.dt; // a sum of steps would drift
  },
});

export const endTimeStep = defineOperator({
  name: 'end_time_step',
  doc: 'Ends a step: reports progress and says whether there are more.',
  slots: {
    continue: { type: 'boolean', direction: 'input_output', doc: 'whether there are steps to do' },
  },
  requires: [planKey, statisticsKey],
  prepare: (): Breath => ({ at: performance.now(), marker: undefined }),
  execute(context) {
    const { state, own } = context;
    const { endStep } = state.get(planKey);
    state.get(statisticsKey).steps++;
    const more = state.step < endStep && !state.signal.aborted;
    context.set('continue', more);
    state.reportProgress(endStep);
    if (more && performance.now() - own.at < BREATH) return undefined;
    return breathe(state.get(statisticsKey), own, more);
  },
  async finish({ state }) {
    const statistics = state.get(statisticsKey);
    for (const update of statistics.pending.splice(0))
      if ((await update).rebuilt) statistics.rebuilds++;
  },
});

interface Breath {
  at: number;
  /** Work queued at the last turn. */
  marker: PatternHandle<unknown> | undefined;
}

/**
 * Lets timers and signals in. Waiting for what was queued one turn ago bounds how far the host runs ahead of a device,
 * and never leaves the device idle.
 */
async function breathe(statistics: RunStatistics, own: Breath, more: boolean): Promise<void> {
  const newest = statistics.pending.at(-1);
  await (more ? own.marker : newest);
  own.marker = newest;
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  own.at = statistics.endedAt = performance.now();
}
