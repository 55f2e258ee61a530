import { defineOperator } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { contextOf, gridKey, planKey, statisticsKey } from './stateKeys.js';

/** Milliseconds between two turns for timers, signals and the progress line. */
const BREATH = 50;

export const nextTimeStep = defineOperator({
  name: 'next_time_step',
  doc: 'Advances the clock by one step.',
  slots: {
    dt: {
      type: 'quantity',
      dimension: { time: 1 },
      above: 0,
      required: true,
      doc: 'time step',
    },
  },
  requires: [planKey],
  execute({ slots, state }) {
    state.step++;
    state.time += slots.dt;
  },
});

export const endTimeStep = defineOperator({
  name: 'end_time_step',
  doc: 'Ends a step: reports progress and says whether there are more.',
  slots: {
    continue: { type: 'boolean', direction: 'input_output', doc: 'whether there are steps to do' },
  },
  requires: [gridKey, planKey, statisticsKey],
  prepare: () => ({ breath: performance.now() }),
  execute({ state, set, own }) {
    const { endStep } = state.get(planKey);
    const more = state.step < endStep && !state.signal.aborted;
    set('continue', more);
    state.reportProgress(endStep);
    const now = performance.now();
    if (more && now - own.breath < BREATH) return undefined;
    return breathe().then(() => {
      own.breath = performance.now();
      state.get(statisticsKey).endedAt = own.breath;
    });

    /** Lets timers and signals in; waiting for the device also bounds how far the queue runs ahead of it. */
    async function breathe(): Promise<void> {
      const ctx = contextOf(state);
      if (ctx.backend === 'webgpu' && !more) await newestOnHost(state.get(gridKey), ctx, ['rx']);
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  },
});
