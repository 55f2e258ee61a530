import {
  checkpointFiles,
  checkpointName,
  defineOperator,
  encodeCheckpoint,
  pruneCheckpoints,
  runCheckpoint,
  type SimulationState,
} from '@corpuscle/core';
import { settleTime } from '../../integrators/physicalTime.js';
import { contextOf, gridKey } from '../stateKeys.js';
import { toldByWriter } from '../toldByWriter.js';
import { parseWallTime } from './parseWallTime.js';
import { particleKeeper, startsAnew } from './particleKeeper.js';

/** Wall time between checkpoints where nothing is said. */
const EVERY = '10 min';
/**
 * Steps between looks at the clock in deterministic runs on a device. At each of them such a run forgets what it has learned,
 * whether a checkpoint is due or not, so that its bits do not depend on the clock.
 */
const LOOK = 1000;
/** The same where processes share a run: the clock of the first counts, and the others must be told. */
const SHARED_LOOK = 100;

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
  every: ({ frequency }, state) =>
    frequency ?? (startsAnew(state) ? LOOK : isShared(state) ? SHARED_LOOK : 1),
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
    lookedAt: -1,
    isLate: false,
  }),
  // Where it only looks at the clock, it may do so after several steps.
  hostOnly: ({ slots, state, own }) =>
    slots.frequency === undefined &&
    !(state.isEnding || isShared(state) || startsAnew(state) || isLate(state, own)),
  steadyUntil: () => Number.POSITIVE_INFINITY,
  executeMany: () => {},
  execute(context) {
    const { slots, state, own } = context;
    if (!context.isLooping() || own.step === state.step) return undefined;
    const isTime = slots.frequency !== undefined || state.isEnding;
    if (!isTime && !isLate(state, own))
      return startsAnew(state) ? context.saveRun().then(() => state.renewCalls()) : undefined;
    return write(context);
  },
  finish({ slots, state }) {
    if (!state.output.writes) return;
    const name = state.output.resolve(slots.file);
    // One more is there where a run has been killed after it wrote its last.
    pruneCheckpoints(name, slots.keep);
    if (checkpointFiles(name).length === 0)
      state.say('there is no checkpoint: the operator ran in no loop; put it into dump_data, say');
  },
});

interface Own {
  readonly milliseconds: number;
  writtenAt: number;
  /** That of the last checkpoint. */
  step: number;
  /** The step in which it was last asked whether it is late, and the answer. */
  lookedAt: number;
  isLate: boolean;
}

/** Whether processes share the run. */
const isShared = (state: SimulationState): boolean =>
  contextOf(state).engines.host.sumShared !== undefined;

/** Whether it is time for a checkpoint: for all processes when it is for the one that writes. The clock is asked once a step. */
function isLate(state: SimulationState, own: Own): boolean {
  const { lookedAt, writtenAt, milliseconds } = own;
  if (lookedAt !== state.step)
    own.isLate = toldByWriter(state, () => performance.now() - writtenAt) >= milliseconds;
  own.lookedAt = state.step;
  return own.isLate;
}

interface Context {
  readonly slots: { readonly file: string; readonly keep: number };
  readonly state: SimulationState;
  readonly own: Own;
  saveRun(): Promise<Parameters<typeof runCheckpoint>[2]>;
}

async function write({ slots, state, own, saveRun }: Context): Promise<void> {
  const { output, simulation, step } = state;
  await settleTime(state);
  const run = await saveRun();
  if (output.writes) {
    await output.flush({ durable: true });
    await output.writeWhole(
      checkpointName(slots.file, step),
      encodeCheckpoint(runCheckpoint(simulation, output.positions(), run)),
    );
    pruneCheckpoints(output.resolve(slots.file), slots.keep);
  }
  own.step = step;
  own.writtenAt = performance.now();
  state.renewCalls();
}
