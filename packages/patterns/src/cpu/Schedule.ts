import { runInChunks } from './controlBlock.js';
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

/**
 * Runs a job as its schedule says, on this thread alone.
 * @throws CorpuscleError KERNEL_FAILED naming the kernel.
 */
export function runAlone(
  { run, label }: LoadedKernel,
  args: number,
  begin: number,
  end: number,
  schedule: Schedule,
): void {
  const chunk = Math.max(1, schedule.chunk);
  try {
    if (schedule.kind !== 'static') {
      runInChunks(run, args, begin, end, chunk, 0);
      return;
    }
    const { bounds } = schedule;
    for (let t = 0; t + 1 < bounds.length; t++)
      runInChunks(run, args, bounds[t]!, bounds[t + 1]!, chunk, t);
  } catch (error) {
    throw kernelFailure(label, error);
  }
}
