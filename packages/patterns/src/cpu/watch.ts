import type { MessagePort } from 'node:worker_threads';
import { Word } from './controlBlock.js';

/** What the watching thread is given when it starts. */
export interface WatchTask {
  readonly control: Int32Array;
  /** One for each worker 1, 2, …: the other end closes when the worker's thread ends, however it ends. */
  readonly lives: readonly MessagePort[];
  /** To the main thread. */
  readonly port: MessagePort;
  readonly protocol: number;
}

/**
 * Notes workers that end. The main thread may be asleep in Atomics.wait, and a worker that has died inside a kernel never
 * leaves its job; so a thread whose event loop is free looks after all of them:
 *
 *   worker dies ──► its port closes ──► watch: DEAD = worker, notify ──► main wakes, and reports
 */
export function watch({ control, lives, port }: WatchTask): void {
  lives.forEach((life, k) => {
    life.on('close', () => {
      if (Atomics.load(control, Word.STOP) === 1) return;
      Atomics.compareExchange(control, Word.DEAD, 0, k + 1);
      Atomics.notify(control, Word.ACTIVE);
      port.postMessage({ kind: 'died', thread: k + 1 });
    });
  });
}
