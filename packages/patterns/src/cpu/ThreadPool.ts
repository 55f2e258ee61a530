import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import { WorkerTeam } from '#patterns/platform';
import { availableThreads } from '../engine/availableThreads.js';
import { endlessError } from '../engine/stuckWork.js';
import type { TraceSlice } from '../engine/TraceSlice.js';
import type { Lane } from '../handles/Lanes.js';
import { BackgroundJob, type JobHandle } from './BackgroundJob.js';
import {
  addTime,
  createControlBlock,
  piecesAt,
  startTime,
  TIME_UNIT,
  Word,
} from './controlBlock.js';
import { JobTimes } from './JobTimes.js';
import type { Kernel } from './Kernel.js';
import { KernelStore, type LoadedKernel } from './KernelStore.js';
import { kernelFailure } from './kernelFailure.js';
import { LaneQueue } from './LaneQueue.js';
import { MainWork } from './MainWork.js';
import { publishJob, publishStop } from './publishJob.js';
import { runAlone, type Schedule } from './Schedule.js';
import type { WorkerMessage } from './serve.js';
import { takePart } from './takePart.js';

/**
 * Threads that run kernels over the shared heap. piscina owns the workers; each serves jobs from shared memory, and the
 * main thread takes its share:
 *
 *   main      publish job ── generation+1 ── chunk ── chunk ──────────── close ── wait until all are out
 *   worker 1        … spinning or asleep … └ join ── chunk ── chunk ── leave ── spin ≤ 200 µs ── sleep
 *
 * Workers start on first use, sleep when idle and do not keep the process alive. Jobs run one after the other.
 */
export class ThreadPool implements AsyncDisposable {
  /** Threads in all, the main thread included. */
  readonly threads: number;
  readonly #heap: SharedHeap;
  readonly #control: Int32Array;
  readonly #team = new WorkerTeam({
    message: (message) => this.#receive(message),
    broken: (error) => this.#break(error),
  });
  readonly #kernels: KernelStore;
  /** What the main thread does itself. */
  readonly main: MainWork;
  /** Told once when work has been ended that has no end. */
  onEndless: ((error: CorpuscleError) => void) | null = null;
  readonly #limit: number;
  readonly #queue = new LaneQueue();
  #times: JobTimes | null = null;
  #sliceEnd = 0;
  #running: BackgroundJob | null = null;
  #workerErrors: Extract<WorkerMessage, { kind: 'failed' }>[] = [];
  #waiters: (() => void)[] = [];
  #broken: unknown = null;
  #closed = false;

  /**
   * @param threads is capped at the cores: spinning threads that share a core are hundreds of times slower.
   * @param limit seconds after which a piece of work is taken to have no end, and is ended; Infinity: it is only told of.
   */
  constructor(heap: SharedHeap, threads: number, limit = Number.POSITIVE_INFINITY) {
    this.threads = Math.max(1, Math.min(threads, availableThreads()));
    this.#heap = heap;
    this.#limit = limit;
    this.#control = createControlBlock(this.threads);
    this.main = new MainWork(this.#control, this.threads, (name) => this.#team.tellName(name));
    this.#kernels = new KernelStore(heap, (message) => this.#team.tell(message));
  }

  /** Calls back for every kernel from now on, before it is compiled. */
  onKernel(told: (kernel: Kernel) => void): void {
    this.#kernels.onKernel = told;
  }

  /** Threads note from now on how long they work. Returns what reads the milliseconds of each thread so far. */
  measure(): () => Float64Array {
    this.#control[Word.TIMED] = 1;
    const { threads } = this;
    const words = Array.from({ length: threads }, (_, t) => piecesAt(threads, t) + 1);
    return () => Float64Array.from(words, (word) => (this.#control[word]! >>> 0) * TIME_UNIT);
  }

  /** Tells what each thread does in every job from now on. */
  trace(told: (slice: TraceSlice) => void): void {
    this.#times = new JobTimes(this.measure(), told);
  }

  /** Starts the workers and resolves when all of them serve. */
  async ready(): Promise<void> {
    this.#start();
    if (this.threads === 1) return;
    if (Atomics.load(this.#control, Word.PRESENT) === this.threads - 1) return;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      this.#keepAlive();
    });
    if (this.#broken) throw kernelFailure('the CPU threads', this.#broken);
  }

  /**
   * Runs a kernel over begin … end−1 and returns when it is done. `record` is the address of its argument record.
   * @throws CorpuscleError KERNEL_FAILED naming the kernel when it traps or throws in any thread.
   */
  run(kernel: Kernel, record: number, begin: number, end: number, schedule: Schedule): void {
    this.#checkOpen();
    const args = this.#heap.word(record);
    const loaded = this.#kernels.load(kernel);
    if (this.#running) this.finish();
    if (end <= begin) return;
    const isShort = schedule.kind !== 'static' && end - begin <= schedule.chunk;
    const isAlone = this.threads === 1 || isShort;
    if (!isAlone || this.#limit < Number.POSITIVE_INFINITY) this.#start();
    this.#times?.begin();
    if (isAlone) {
      const start = startTime(this.#control);
      runAlone(loaded, { args, begin, end, schedule }, this.#control, this.threads);
      addTime(this.#control, this.threads, 0, start);
    } else {
      const job = { kernel: loaded.id, args, begin, end, schedule, background: false };
      publishJob(this.#control, this.threads, this.#heap, job);
      this.#settle(loaded, takePart(this.#control, this.threads, loaded));
    }
    this.#times?.end(loaded.label, this.main.operator);
  }

  /**
   * Runs a kernel in the background: workers do all the work and the main thread is free. Jobs of a lane start in the order
   * of their calls; while several lanes wait, jobs are cut into slices, and lanes take turns. With one thread the work is
   * done before the call returns.
   */
  start(
    kernel: Kernel,
    record: number,
    begin: number,
    end: number,
    schedule: Schedule,
    lane?: Lane,
  ): JobHandle {
    this.#checkOpen();
    const loaded = this.#kernels.load(kernel);
    this.#start();
    const args = this.#heap.word(record);
    const job = new BackgroundJob(loaded, args, begin, end, schedule, lane ?? null);
    if (this.threads === 1 || end <= begin) {
      job.settle(() => {
        if (end > begin)
          runAlone(loaded, { args, begin, end, schedule }, this.#control, this.threads);
      });
    } else {
      this.#queue.push(job);
      this.#launchNext();
    }
    return job;
  }

  /** Completes all background jobs now, with the main thread's help. Their errors stay with their handles. */
  finish(): void {
    while (this.#running) {
      const isOver = Atomics.load(this.#control, Word.ACTIVE) === 0;
      this.#complete(
        this.#running,
        isOver ? null : takePart(this.#control, this.threads, this.#running.kernel),
      );
    }
  }

  /** Ends the workers. Background jobs are completed first. Closing twice does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.finish();
    this.#closed = true;
    publishStop(this.#control);
    for (const resolve of this.#waiters.splice(0)) resolve();
    await this.#team.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#closed)
      throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
    if (this.#broken) throw kernelFailure('the CPU threads', this.#broken);
    if (this.#control[Word.DEAD] !== 0) throw this.#loseWorker(null);
  }

  /** Starts the workers and the watching thread. With one thread and no limit there is nothing to start. */
  #start(): void {
    if (this.#team.started) return;
    const { threads } = this;
    const limit = this.#limit;
    if (threads === 1 && limit === Number.POSITIVE_INFINITY) return;
    this.#team.start(
      { threads, control: this.#control, limit },
      this.#kernels.messages,
      this.main.messages,
    );
  }

  /** Throws what went wrong in the job that has just ended. */
  #settle(kernel: LoadedKernel, own: { error: unknown } | null): void {
    if (this.#control[Word.GIVEN_UP] !== 0) {
      this.#team.drain();
      throw this.#broken;
    }
    if (this.#control[Word.DEAD] !== 0) throw this.#loseWorker(kernel);
    if (own) throw kernelFailure(kernel.label, own.error);
    if (this.#control[Word.FAILED] === 0) return;
    this.#team.drain();
    const failures = this.#workerErrors.splice(0);
    const first = failures.find((one) => one.kernel === kernel.id) ?? failures[0];
    const error = new Error(first?.message ?? 'a worker failed');
    if (first) error.stack = first.stack;
    throw kernelFailure(kernel.label, error);
  }

  #launchNext(): void {
    if (this.#running) return;
    const job = this.#queue.shift();
    this.#running = job;
    this.#keepAlive();
    if (!job) return;
    const { kernel, args, at: begin, schedule, lane } = job;
    const end = job.sliceEnd(this.#queue.hasOthers(lane));
    this.#sliceEnd = end;
    this.#times?.begin();
    const published = { kernel: kernel.id, args, begin, end, schedule, background: true };
    publishJob(this.#control, this.threads, this.#heap, published);
  }

  #complete(job: BackgroundJob, own: { error: unknown } | null): void {
    this.#running = null;
    this.#times?.end(job.kernel.label, this.main.operator);
    const isWell = !own && this.#control[Word.FAILED] === 0 && this.#control[Word.DEAD] === 0;
    const isPart = isWell && this.#sliceEnd < job.end;
    if (isPart) {
      job.goOnAt(this.#sliceEnd);
      this.#queue.resume(job);
    } else job.settle(() => this.#settle(job.kernel, own));
    this.#launchNext();
  }

  #receive(message: WorkerMessage): void {
    if (message.kind === 'failed') this.#workerErrors.push(message);
    else if (message.kind === 'ready') {
      if (Atomics.load(this.#control, Word.PRESENT) < this.threads - 1) return;
      for (const resolve of this.#waiters.splice(0)) resolve();
      this.#keepAlive();
    } else if (message.kind === 'endless') {
      this.#giveUp(message);
    } else if (message.kind === 'died') {
      if (!this.#broken) this.#loseWorker(this.#running?.kernel ?? null);
    } else if (this.#running && message.generation === this.#control[Word.GENERATION]) {
      this.#complete(this.#running, null);
    }
  }

  /** The process lives on while a call waits for a worker, and only then. */
  #keepAlive(): void {
    this.#team.keepAlive(this.#running !== null || this.#waiters.length > 0);
  }

  /** What a worker that has ended unbidden, inside a job or between jobs, makes of the pool. */
  #loseWorker(kernel: LoadedKernel | null): CorpuscleError {
    const thread = this.#control[Word.DEAD]!;
    const where = kernel ? ` while '${kernel.label}' ran` : '';
    const error = new CorpuscleError(
      'THREAD_LOST',
      `CPU thread ${thread} of ${this.threads} has ended${where}: its part of the work is lost, so nothing is computed any more`,
    );
    this.#break(error);
    return error;
  }

  /** Work without end has been ended: the kernels' state is lost with it. */
  #giveUp({ work, operator, seconds }: Extract<WorkerMessage, { kind: 'endless' }>): void {
    const error = endlessError(work, operator.split(', '), seconds);
    this.#break(error);
    this.onEndless?.(error);
  }

  /** A worker has died: nothing can be computed any more, and waiting calls are told. */
  #break(error: unknown): void {
    if (this.#closed) return;
    this.#broken = error;
    for (const job of [...(this.#running ? [this.#running] : []), ...this.#queue.drain()]) {
      job.settle(() => {
        throw kernelFailure(job.kernel.label, error);
      });
    }
    this.#running = null;
    for (const resolve of this.#waiters.splice(0)) resolve();
    this.#keepAlive();
  }
}
