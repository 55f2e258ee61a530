import {
  checkpointFiles,
  checkpointName,
  defineOperator,
  encodeCheckpoint,
  pruneCheckpoints,
  runCheckpoint,
  type SimulationState,
  writeWhole,
} from '@corpuscle/core';
import { settleTime } from '../../integrators/physicalTime.js';
import { gridKey } from '../stateKeys.js';
import { parseWallTime } from './parseWallTime.js';
import { particleKeeper, startsAnew } from './particleKeeper.js';

/** Wall time between checkpoints where nothing is said. */
const EVERY = '10 min';
/**
 * Steps between looks at the clock in deterministic runs on a device. At each of them such a run forgets what it has learned,
 * whether a checkpoint is due or not, so that its bits do not depend on the clock.
 */
const LOOK = 1000;

/** `checkpoint`: writes everything that a run needs to go on. */
export const checkpointOperator = defineOperator({
  name: 'checkpoint',
  doc: 'Writes checkpoints, from which corpuscle run --restart goes on; also in the last step of a run, and when it is interrupted. Belongs into a loop, for instance into dump_data.',
  slots: {
    frequency: { type: 'integer', min: 1, mayChange: true, doc: 'steps between checkpoints' },
    every: {
      type: 'any_of',
      options: [{ type: 'number', above: 0 }, { type: 'string' }],
      mayChange: true,
      doc: "instead: wall time between checkpoints, such as '10 min'; a number is in seconds. Default: 10 min",
    },
    keep: {
      type: 'integer',
      min: 1,
      default: 2,
      mayChange: true,
      doc: 'how many checkpoints stay on the disk, the newest',
    },
    file: {
      type: 'file',
      mode: 'write',
      default: 'checkpoint.ckpt',
      doc: 'their name; the step is put before the ending: checkpoint.ckpt becomes checkpoint.1000.ckpt',
    },
  },
  every: ({ frequency }, state) => frequency ?? (startsAnew(state) ? LOOK : 1),
  atEnd: true,
  requires: [gridKey],
  keeper: particleKeeper,
  validate({ slots, fail }) {
    const { frequency, every } = slots;
    if (frequency !== undefined && every !== undefined)
      fail('every', 'INVALID_VALUE', 'there are frequency and every: give one');
    if (every !== undefined && parseWallTime(every) === null)
      fail('every', 'INVALID_VALUE', `every is '${every}': give a wall time, such as 10 min`);
  },
  prepare: ({ slots }) => ({
    milliseconds: parseWallTime(slots.every ?? EVERY)!,
    writtenAt: performance.now(),
    step: -1,
  }),
  execute(context) {
    const { slots, state, own } = context;
    if (!context.isLooping() || own.step === state.step) return undefined;
    const isTime = slots.frequency !== undefined || state.isEnding;
    if (!isTime && performance.now() - own.writtenAt < own.milliseconds)
      return startsAnew(state) ? context.saveRun().then(() => state.renewCalls()) : undefined;
    return write(context);
  },
  finish({ slots, state }) {
    const name = state.output.resolve(slots.file);
    // One more is there where a run has been killed after it wrote its last.
    pruneCheckpoints(name, slots.keep);
    if (checkpointFiles(name).length === 0)
      state.say('there is no checkpoint: the operator ran in no loop; put it into dump_data, say');
  },
});

interface Context {
  readonly slots: { readonly file: string; readonly keep: number };
  readonly state: SimulationState;
  readonly own: { writtenAt: number; step: number };
  saveRun(): Promise<Parameters<typeof runCheckpoint>[2]>;
}

async function write({ slots, state, own, saveRun }: Context): Promise<void> {
  const { output, simulation, step } = state;
  await settleTime(state);
  const run = await saveRun();
  await output.flush({ durable: true });
  const name = output.resolve(slots.file);
  await writeWhole(
    checkpointName(name, step),
    encodeCheckpoint(runCheckpoint(simulation, output.positions(), run)),
  );
  pruneCheckpoints(name, slots.keep);
  own.step = step;
  own.writtenAt = performance.now();
  state.renewCalls();
}
