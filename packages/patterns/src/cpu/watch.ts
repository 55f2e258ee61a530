import { writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { endMainWork, hearSignals, type SignalEar } from '@corpuscle/core/signals';
import { namedWork, stuckLine, TOLD_AFTER } from '../engine/stuckWork.js';
import { Word } from './controlBlock.js';
import type { NameMessage } from './MainWork.js';
import { StuckWork } from './StuckWork.js';
import type { KernelMessage, MemoryMessage, WorkerMessage } from './serve.js';

/** What the watching thread is given when it starts. */
export interface WatchTask {
  readonly control: Int32Array;
  readonly threads: number;
  /** One for each worker 1, 2, …: the other end closes when the worker's thread ends, however it ends. */
  readonly lives: readonly MessagePort[];
  /** To the main thread, which tells of kernels as it tells the workers, and of names. */
  readonly port: MessagePort;
  /** Seconds after which work without progress is ended; Infinity: it is only told of. */
  readonly limit: number;
  readonly protocol: number;
}

/** How often the watching thread looks, and after how many looks without a change it tells, in milliseconds and looks. */
const EVERY = 500;
const LOOKS = (1000 * TOLD_AFTER) / EVERY;

/**
 * Notes workers that end, and work that does not. The main thread may be asleep in Atomics.wait, or in a kernel itself; a
 * worker that has died inside a kernel never leaves its job. So a thread whose event loop is free looks after all of them:
 *
 *   worker dies ──► its port closes ──► DEAD = worker, notify ──► main wakes, and reports
 *   no progress for 4 s ──► one sentence on stderr, with functor and operator
 *       └─ for `limit` seconds, or a signal ──► GIVEN_UP ──┬─► main waits for workers: it wakes, and reports
 *                                                          ├─► main is free: a message, and it reports
 *                                                          └─► main is inside itself: V8 takes it out, then as before
 */
export function watch(task: WatchTask): void {
  const { control, lives, port } = task;
  lives.forEach((life, k) => {
    life.on('close', () => {
      if (Atomics.load(control, Word.STOP) === 1) return;
      Atomics.compareExchange(control, Word.DEAD, 0, k + 1);
      Atomics.notify(control, Word.ACTIVE);
      send(port, { kind: 'died', thread: k + 1 });
    });
  });
  const watchdog = new Watchdog(task);
  port.on('message', (message: KernelMessage | MemoryMessage | NameMessage) =>
    watchdog.hear(message),
  );
  setInterval(() => watchdog.look(), EVERY).unref();
}

const send = (port: MessagePort, message: WorkerMessage): void => port.postMessage(message);

/** Tells of work without progress, and ends it. */
class Watchdog {
  readonly #task: WatchTask;
  readonly #stuck: StuckWork;
  readonly #labels: string[] = [];
  readonly #names: string[] = [];
  #ear: SignalEar | null = null;
  /** Microseconds of processor time when the work was told of: a process that gets none is slow, and not endless. */
  #told = 0;

  constructor(task: WatchTask) {
    this.#task = task;
    this.#stuck = new StuckWork(task.control, task.threads);
  }

  hear(message: KernelMessage | MemoryMessage | NameMessage): void {
    if (message.kind === 'name') this.#names[message.id] = message.name;
    else if (message.kind === 'kernel') this.#labels[message.id] = message.label;
  }

  look(): void {
    const { control, limit } = this.#task;
    if (Atomics.load(control, Word.GIVEN_UP) === 1) return;
    const looks = this.#stuck.look();
    if (looks === 0) {
      this.#ear?.end();
      this.#ear = null;
    }
    if (looks === LOOKS) this.#tell();
    const seconds = (looks * EVERY) / 1000;
    if (looks > LOOKS && seconds >= limit && processorTime() - this.#told >= 1e6 * (limit / 4))
      this.#giveUp(seconds);
  }

  #tell(): void {
    const { limit } = this.#task;
    this.#told = processorTime();
    // The main thread is deaf: signals mean what they mean to a process without handlers, unless work can be ended.
    this.#ear = hearSignals(() => {
      if (limit === Number.POSITIVE_INFINITY) process.kill(process.pid, 'SIGKILL');
      else this.#giveUp((LOOKS * EVERY) / 1000);
    });
    const how = this.#ear.hears ? 'Ctrl-C or SIGTERM ends' : `kill -9 ${process.pid} ends`;
    const end =
      limit === Number.POSITIVE_INFINITY
        ? `${how} the run at once`
        : `the run ends after ${limit} s, ${how} it before`;
    writeSync(2, stuckLine(this.#work(), end));
  }

  #giveUp(seconds: number): void {
    const { control, port } = this.#task;
    if (!this.#stuck.isSame) return;
    const operator = this.#operator;
    send(port, { kind: 'endless', work: this.#work(), operator, seconds }); // first: the main thread reads it when it wakes
    Atomics.store(control, Word.GIVEN_UP, 1);
    this.#ear?.end();
    this.#ear = null;
    if (this.#stuck.isMainInside) endMainWork();
    else Atomics.notify(control, Word.ACTIVE);
  }

  /** The functor and the operator, as a sentence names them. */
  #work(): string {
    const { control } = this.#task;
    const main = Atomics.load(control, Word.MAIN);
    const job = Atomics.load(control, Word.KERNEL);
    const functor = main < 0 ? this.#names[-1 - main] : this.#labels[main > 0 ? main - 1 : job];
    return namedWork(functor ?? 'a kernel', this.#operator);
  }

  /** The operator that makes the calls; empty for none. */
  get #operator(): string {
    return this.#names[Atomics.load(this.#task.control, Word.OPERATOR) - 1] ?? '';
  }
}

/** Microseconds that all threads of the process have used. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
