import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import {
  boundsOffset,
  GUIDED,
  HEAP_PAGE,
  mostRanges,
  OPEN,
  SPIN_MILLISECONDS,
  Word,
} from './controlBlock.js';
import type { Schedule } from './Schedule.js';

/** The thread of a page's document may not sleep: it spins. */
const maySleep = !('document' in globalThis);

/** A job as it stands in the control block. */
export interface PublishedJob {
  readonly kernel: number;
  /** The word of the argument record. */
  readonly args: number;
  readonly begin: number;
  readonly end: number;
  readonly schedule: Schedule;
  /** The main thread does not wait: the last worker to leave sends a message. */
  readonly background: boolean;
}

/** Writes a job into the control block, opens it and wakes the workers that sleep. The job before must be over. */
export function publishJob(
  control: Int32Array,
  threads: number,
  { memory }: SharedHeap,
  { kernel, args, begin, end, schedule, background }: PublishedJob,
): void {
  control[Word.KERNEL] = kernel;
  control[Word.ARGS] = args | 0;
  control[Word.BEGIN] = begin;
  control[Word.END] = end;
  control[Word.CHUNK] = Math.max(1, schedule.chunk);
  control[Word.BACKGROUND] = background ? 1 : 0;
  control[Word.HEAP_PAGES] = memory.buffer.byteLength / HEAP_PAGE;
  control[Word.FAILED] = 0;
  if (schedule.kind === 'static') {
    const ranges = schedule.bounds.length - 1;
    if (ranges > mostRanges(threads))
      throw new CorpuscleError('INTERNAL', `a static schedule has ${ranges} ranges`);
    control[Word.RANGES] = ranges;
    const bounds = boundsOffset(threads);
    for (let k = 0; k <= ranges; k++) control[bounds + k] = schedule.bounds[k]!;
    for (let k = 0; k < ranges; k++) control[Word.CLAIMS + k] = 0;
  } else {
    control[Word.RANGES] = schedule.kind === 'guided' ? GUIDED : 0;
    control[Word.NEXT] = begin;
  }
  Atomics.store(control, Word.ACTIVE, OPEN); // sequentially consistent: publishes everything above
  Atomics.add(control, Word.GENERATION, 1);
  if (Atomics.load(control, Word.SLEEPING) > 0) Atomics.notify(control, Word.GENERATION);
}

/**
 * Closes the job to newcomers and waits until every worker is out: spins briefly, then sleeps. Returns early when a worker
 * has died, or has been given up, as it may be one that never leaves.
 */
export function closeJob(control: Int32Array): void {
  Atomics.and(control, Word.ACTIVE, ~OPEN);
  if (Atomics.load(control, Word.ACTIVE) === 0) return;
  const deadline = performance.now() + SPIN_MILLISECONDS;
  do {
    for (let spin = 0; spin < 64; spin++) if (Atomics.load(control, Word.ACTIVE) === 0) return;
  } while (performance.now() < deadline);
  Atomics.store(control, Word.WAITING, 1);
  for (;;) {
    const active = Atomics.load(control, Word.ACTIVE);
    const isLost = Atomics.load(control, Word.DEAD) + Atomics.load(control, Word.GIVEN_UP) !== 0;
    if (active === 0 || isLost) break;
    if (maySleep) Atomics.wait(control, Word.ACTIVE, active, 1000);
  }
  Atomics.store(control, Word.WAITING, 0);
}

/** Tells the workers to end. */
export function publishStop(control: Int32Array): void {
  Atomics.store(control, Word.STOP, 1);
  Atomics.add(control, Word.GENERATION, 1);
  Atomics.notify(control, Word.GENERATION);
}
