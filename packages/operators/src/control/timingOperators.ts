import { CorpuscleError, defineOperator, dimensions, stateKey } from '@corpuscle/core';
import { existsSync } from '@corpuscle/core/platform';
import { slotsAlone } from '../analyses/define/looksAtFrame.js';
import { settleTime } from '../integrators/physicalTime.js';
import { toldByWriter } from '../run/toldByWriter.js';

export const nthTimestep = defineOperator({
  name: 'nth_timestep',
  doc: 'Says whether this step is one of every so many, for conditions.',
  slots: {
    frequency: { type: 'integer', min: 1, required: true, doc: 'steps between two of them' },
    from: { type: 'integer', min: 0, default: 0, doc: 'the first of them' },
    at_end: { type: 'boolean', default: false, doc: 'whether the last step is one in any case' },
    nth_timestep: { type: 'boolean', direction: 'output', doc: 'whether this step is one' },
  },
  hostOnly: true,
  ...slotsAlone,
  execute({ slots, state, set }) {
    const since = state.step - slots.from;
    const isNth = since >= 0 && since % slots.frequency === 0;
    set('nth_timestep', isNth || (slots.at_end && state.isEnding));
  },
});

const duration = { type: 'quantity', dimension: dimensions.time } as const;

export const physicalTimeInterval = defineOperator({
  name: 'physical_time_interval',
  doc: 'Says whether simulated time has come to, or passed, one more multiple of an interval since this was last asked, for conditions. The first time it is asked it says yes.',
  slots: {
    interval: { ...duration, above: 0, required: true, doc: 'time between two of them' },
    from: { ...duration, default: 0, doc: 'the first of them' },
    physical_time_interval: {
      type: 'boolean',
      direction: 'output',
      doc: 'whether this step is one',
    },
  },
  prepare: (): { last: number | null } => ({ last: null }),
  save: ({ own }) => ({ ...own }),
  restore: ({ own }, saved) => void Object.assign(own, saved),
  calls: () => null, // it does not look at the box
  async execute({ slots, state, own, set }) {
    await settleTime(state);
    // A sum of time steps is a rounding off the multiple that is meant.
    const passed = Math.floor((state.time - slots.from) / slots.interval + 1e-9);
    set('physical_time_interval', passed >= 0 && (own.last === null || passed > own.last));
    if (passed >= 0) own.last = passed;
  },
});

/** When timers were started, by their names. */
const timersKey = stateKey<Map<string, number>>('timers', 'they exist after timer');

export const timerOperator = defineOperator({
  name: 'timer',
  doc: 'Starts a clock, or reads it: the first use of a name starts, every other one says the wall time since and starts anew.',
  slots: {
    name: { type: 'string', default: 'timer', doc: 'what it is called' },
    quiet: { type: 'boolean', default: false, doc: 'whether only elapsed_seconds tells' },
    elapsed_seconds: {
      type: 'number',
      direction: 'output',
      doc: 'wall time since the last use of this name; 0 at the first',
    },
  },
  box: 'kept',
  calls: () => null,
  execute({ slots, state, set }) {
    const timers = state.obtain(timersKey, () => new Map());
    const now = performance.now();
    const began = timers.get(slots.name);
    timers.set(slots.name, now);
    const seconds = began === undefined ? 0 : toldByWriter(state, () => (now - began) / 1000);
    set('elapsed_seconds', seconds);
    if (began !== undefined && !slots.quiet)
      state.say(`${slots.name}: ${seconds.toPrecision(4)} s`);
  },
});

export const fileExists = defineOperator({
  name: 'file_exists',
  doc: 'Says whether a file is in the output folder, for conditions.',
  slots: {
    name: { type: 'string', required: true, doc: 'its name, relative to the output folder' },
    file_exists: { type: 'boolean', direction: 'output', doc: 'whether it is there' },
  },
  hostOnly: true,
  ...slotsAlone,
  execute({ slots, state, set }) {
    if (/^([/\\]|[A-Za-z]:|.*\.\.)/.test(slots.name))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `file_exists looks into the output folder only, and ${slots.name} is outside of it: give a relative name`,
      );
    const isThere = toldByWriter(state, () => Number(existsSync(state.output.resolve(slots.name))));
    set('file_exists', isThere !== 0);
  },
});
