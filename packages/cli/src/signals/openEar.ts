import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { type EarMessage, type EarTask, Word } from './ear.js';

/** What the main thread has of the thread that hears signals. */
export interface Ear {
  /** Resolves when signals are heard. */
  ready(): Promise<void>;
  /** From now on a signal lets the run complete its step. */
  beginSteps(): void;
  /** Whether the work of the main thread has been ended. */
  readonly hasEnded: boolean;
  close(): void;
}

/**
 * Starts the thread that hears signals while the main thread is inside one long piece of work.
 * @param onEnded called when such a piece has been ended in the middle: nothing can be computed any more. It is told whether
 *   there have been steps.
 * @returns null where the package has not been built, and in a thread.
 */
export function openEar(ignoresHangUp: boolean, onEnded: (hadSteps: boolean) => void): Ear | null {
  const script = fileURLToPath(new URL('./earWorker.cjs', import.meta.url));
  if (!isMainThread || !existsSync(script)) return null;
  const words = new Int32Array(new SharedArrayBuffer(12));
  const workerData: EarTask = { words, ignoresHangUp };
  const worker = new Worker(script, { workerData, execArgv: [] });
  worker.unref();
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (question: EarMessage) => {
      if (question < 0) onEnded(Atomics.load(words, Word.STEPS) === 1);
      else if (question === 0) resolve();
      else Atomics.store(words, Word.ANSWERED, question);
    });
    // Without it signals are heard by the main thread alone.
    worker.on('error', () => resolve());
    worker.on('exit', () => resolve());
  });
  const hasEnded = () => Atomics.load(words, Word.ENDED) === 1;
  // Work that has been ended leaves nothing that keeps the process alive until its end is told.
  const wait = () => {
    if (hasEnded()) worker.ref();
  };
  process.on('beforeExit', wait);
  return {
    ready: () => {
      worker.ref();
      return ready.finally(() => worker.unref());
    },
    get hasEnded() {
      return hasEnded();
    },
    beginSteps: () => void Atomics.store(words, Word.STEPS, 1),
    close() {
      process.off('beforeExit', wait);
      void worker.terminate();
    },
  };
}
