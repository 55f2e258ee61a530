import { abandon, addTime, participate, startTime, Word } from './controlBlock.js';
import type { LoadedKernel } from './KernelStore.js';
import { closeJob } from './publishJob.js';

/** The main thread's share of the published job, then the wait for the others. @returns what it threw itself */
export function takePart(
  control: Int32Array,
  threads: number,
  { id, run }: LoadedKernel,
): { readonly error: unknown } | null {
  let failed: { readonly error: unknown } | null = null;
  control[Word.MAIN] = id + 1;
  try {
    const start = startTime(control);
    participate(control, threads, 0, run);
    addTime(control, threads, 0, start);
  } catch (error) {
    abandon(control, threads);
    failed = { error };
  }
  control[Word.MAIN] = 0;
  closeJob(control);
  return failed;
}
