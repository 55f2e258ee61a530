import { piecesAt, runInChunks, Word } from './controlBlock.js';
import type { LoadedKernel } from './KernelStore.js';
import { kernelFailure } from './kernelFailure.js';

/**
 * How indices are handed out.
 * - dynamic: chunks from a common counter; a free thread takes the next one
 * - static: range t (bounds[t] … bounds[t+1]−1) is worked on with thread index t, in chunks; partial results per thread
 *   index are the same in every run
 * - guided: large chunks first, then ever smaller ones, multiples of `chunk`: few claims, and an even end
 */
export type Schedule =
  | { readonly kind: 'dynamic' | 'guided'; readonly chunk: number }
  | { readonly kind: 'static'; readonly bounds: readonly number[]; readonly chunk: number };

/** Work for one thread. */
export interface WorkAlone {
  /** The word of the argument record. */
  readonly args: number;
  readonly begin: number;
  readonly end: number;
  readonly schedule: Schedule;
}

/**
 * Runs a job as its schedule says, on this thread alone.
 * @throws CorpuscleError KERNEL_FAILED naming the kernel.
 */
export function runAlone(
  { id, run, label }: LoadedKernel,
  { args, begin, end, schedule }: WorkAlone,
  control: Int32Array,
  threads: number,
): void {
  const chunk = Math.max(1, schedule.chunk);
  const pieces = piecesAt(threads, 0);
  const word = args >>> 0;
  control[Word.MAIN] = id + 1;
  try {
    if (schedule.kind !== 'static') {
      runInChunks(run, { args: word, begin, end, chunk, thread: 0 }, control, pieces);
      return;
    }
    const { bounds } = schedule;
    for (let t = 0; t + 1 < bounds.length; t++) {
      const [begin, end] = [bounds[t]!, bounds[t + 1]!];
      runInChunks(run, { args: word, begin, end, chunk, thread: t }, control, pieces);
    }
  } catch (error) {
    throw kernelFailure(label, error);
  } finally {
    control[Word.MAIN] = 0;
  }
}
