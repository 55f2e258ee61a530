import { writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { OPEN, Word } from './controlBlock.js';
import { hearSignals } from './lastResort.js';
import type { KernelMessage } from './serve.js';

/** What the watching thread is given when it starts. */
export interface WatchTask {
  readonly control: Int32Array;
  /** One for each worker 1, 2, …: the other end closes when the worker's thread ends, however it ends. */
  readonly lives: readonly MessagePort[];
  /** To the main thread, which tells of kernels as it tells the workers. */
  readonly port: MessagePort;
  readonly protocol: number;
}

/** How often the watching thread looks, and after how many looks without a change it tells, in milliseconds and looks. */
const EVERY = 1000;
const LOOKS = 4;

/**
 * Notes workers that end, and kernels that do not. The main thread may be asleep in Atomics.wait, or in a kernel itself; a
 * worker that has died inside a kernel never leaves its job. So a thread whose event loop is free looks after all of them:
 *
 *   worker dies ──► its port closes ──► watch: DEAD = worker, notify ──► main wakes, and reports
 *   nobody claims or finishes work for 4 s ──► watch: one sentence on stderr, and signals end the process,
 *                                              as the main thread can neither speak nor hear
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
  const labels: string[] = [];
  port.on('message', ({ id, label }: KernelMessage) => {
    labels[id] = label;
  });
  const stuck = new StuckJob(control);
  let ear: ReturnType<typeof hearSignals> | null = null;
  setInterval(() => {
    const since = stuck.look();
    if (since === 0) ear?.end();
    if (since === 0) ear = null;
    if (since !== LOOKS) return;
    // The main thread is deaf: signals mean what they mean to a process without handlers.
    ear = hearSignals(() => process.kill(process.pid, 'SIGKILL'));
    const label = labels[Atomics.load(control, Word.KERNEL)] ?? 'a kernel';
    const how = ear.hears ? 'Ctrl-C or SIGTERM ends' : `kill -9 ${process.pid} ends`;
    writeSync(
      2,
      `corpuscle: '${label}' has worked on one piece for ${(EVERY * LOOKS) / 1000} s: if a loop of it has no end, ${how} the run at once, and files keep what was written\n`,
    );
  }, EVERY).unref();
}

/** For how long a job has made no progress. */
class StuckJob {
  readonly #control: Int32Array;
  #last = '';
  #same = 0;

  constructor(control: Int32Array) {
    this.#control = control;
  }

  /** How many looks in a row have seen the same. */
  look(): number {
    const read = (word: number) => Atomics.load(this.#control, word);
    const inside = read(Word.ACTIVE) & ~OPEN;
    const now = [read(Word.GENERATION), read(Word.NEXT), inside].join();
    this.#same = inside > 0 && now === this.#last ? this.#same + 1 : 0;
    this.#last = now;
    return this.#same;
  }
}
