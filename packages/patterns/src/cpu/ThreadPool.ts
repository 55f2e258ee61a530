import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { CorpuscleError } from '@corpuscle/core';
import { Piscina } from 'piscina';
import {
  abandon,
  boundsOffset,
  createControlBlock,
  OPEN,
  PROTOCOL,
  participate,
  type RunKernel,
  runInChunks,
  SPIN_MILLISECONDS,
  Word,
} from './controlBlock.js';
import { instantiateKernel, type LoadedCode } from './instantiateKernel.js';
import type { Kernel, KernelCode } from './Kernel.js';
import type { KernelMessage, ServeTask, WorkerMessage } from './serve.js';

/**
 * How indices are handed out.
 * - dynamic: chunks from a common counter; whoever is free takes the next one
 * - static: range t (bounds[t] … bounds[t+1]−1) is worked on with thread index t, in chunks; partial results per thread
 *   index are the same in every run
 */
export type Schedule =
  | { readonly kind: 'dynamic'; readonly chunk: number }
  | { readonly kind: 'static'; readonly bounds: readonly number[]; readonly chunk: number };

/** A job in the background. */
export interface JobHandle {
  readonly done: boolean;
  /** Resolves when the job is complete; rejects with its error. */
  readonly finished: Promise<void>;
}

/** Cores this process may use. */
export function availableThreads(): number {
  return availableParallelism();
}

interface LoadedKernel {
  readonly id: number;
  readonly label: string;
  readonly run: RunKernel;
}

interface Job {
  readonly kernel: LoadedKernel;
  readonly args: number;
  readonly begin: number;
  readonly end: number;
  readonly schedule: Schedule;
  done: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

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
  #memory: WebAssembly.Memory;
  #control: Int32Array;
  #piscina: Piscina | null = null;
  #ports: MessagePort[] = [];
  #kernels = new Map<string, LoadedKernel>();
  #sent: KernelMessage[] = [];
  #runs: RunKernel[] = [];
  #queue: Job[] = [];
  #running: Job | null = null;
  #workerErrors: { kernel: number; message: string; stack: string }[] = [];
  #waiters: (() => void)[] = [];
  #broken: unknown = null;
  #closed = false;

  /** @param threads is capped at the cores: spinning threads that share a core are hundreds of times slower. */
  constructor(memory: WebAssembly.Memory, threads: number) {
    this.threads = Math.max(1, Math.min(threads, availableThreads()));
    this.#memory = memory;
    this.#control = createControlBlock(this.threads);
  }

  /** Starts the workers and resolves when all of them serve. */
  async ready(): Promise<void> {
    if (this.threads === 1) return;
    this.#start();
    if (Atomics.load(this.#control, Word.PRESENT) === this.threads - 1) return;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      this.#keepAlive();
    });
    if (this.#broken) throw this.#failure('the CPU threads', this.#broken);
  }

  /**
   * Runs a kernel over begin … end−1 and returns when it is done.
   * @throws CorpuscleError KERNEL_FAILED naming the kernel when it traps or throws in any thread.
   */
  run(kernel: Kernel, args: number, begin: number, end: number, schedule: Schedule): void {
    this.#checkOpen();
    const loaded = this.#load(kernel);
    if (this.#running) this.finish();
    if (end <= begin) return;
    if (this.threads === 1 || (schedule.kind === 'dynamic' && end - begin <= schedule.chunk)) {
      this.#runAlone(loaded, args, begin, end, schedule);
      return;
    }
    this.#start();
    this.#publish(loaded, args, begin, end, schedule, false);
    const error = this.#takePart(loaded);
    this.#settle(loaded, error);
  }

  /**
   * Runs a kernel in the background: workers do all the work and the main thread is free. Jobs start in the order of
   * their calls. With one thread the work is done before the call returns.
   */
  start(kernel: Kernel, args: number, begin: number, end: number, schedule: Schedule): JobHandle {
    this.#checkOpen();
    const loaded = this.#load(kernel);
    let settle!: { resolve: () => void; reject: (error: unknown) => void };
    const finished = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    finished.catch(() => {}); // whoever holds the handle sees the error; nobody else must end the process
    const job: Job = { kernel: loaded, args, begin, end, schedule, done: false, ...settle };
    if (this.threads === 1 || end <= begin) {
      try {
        if (end > begin) this.#runAlone(loaded, args, begin, end, schedule);
        job.resolve();
      } catch (error) {
        job.reject(error);
      }
      job.done = true;
    } else {
      this.#start();
      this.#queue.push(job);
      this.#launchNext();
    }
    return {
      finished,
      get done() {
        return job.done;
      },
    };
  }

  /** Completes all background jobs now, with the main thread's help. Their errors stay with their handles. */
  finish(): void {
    while (this.#running) {
      const { kernel } = this.#running;
      this.#complete(
        this.#running,
        Atomics.load(this.#control, Word.ACTIVE) === 0 ? null : this.#takePart(kernel),
      );
    }
  }

  /** Ends the workers. Background jobs are completed first. Closing twice does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.finish();
    this.#closed = true;
    Atomics.store(this.#control, Word.STOP, 1);
    Atomics.add(this.#control, Word.GENERATION, 1);
    Atomics.notify(this.#control, Word.GENERATION);
    for (const port of this.#ports) port.close();
    for (const resolve of this.#waiters.splice(0)) resolve();
    await this.#piscina?.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#closed)
      throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
    if (this.#broken) throw this.#failure('the CPU threads', this.#broken);
  }

  #start(): void {
    if (this.#piscina) return;
    const workers = this.threads - 1;
    // minThreads = maxThreads starts all workers at once; atomics would put piscina's own wait before our serving.
    const piscina = new Piscina({
      filename: workerScript(),
      minThreads: workers,
      maxThreads: workers,
      concurrentTasksPerWorker: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      atomics: 'disabled',
      execArgv: [],
    });
    this.#piscina = piscina;
    piscina.on('error', (error) => this.#break(error));
    for (let thread = 1; thread <= workers; thread++) {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', (message: WorkerMessage) => this.#receive(message));
      port1.unref();
      this.#ports.push(port1);
      for (const message of this.#sent) port1.postMessage(message);
      const task: ServeTask = {
        control: this.#control,
        memory: this.#memory,
        port: port2,
        thread,
        threads: this.threads,
        protocol: PROTOCOL,
      };
      piscina.run(task, { transferList: [port2] }).catch((error: unknown) => this.#break(error));
    }
  }

  #load(kernel: Kernel): LoadedKernel {
    const present = this.#kernels.get(kernel.key);
    if (present) return present;
    const code = this.#loadedCode(kernel.code); // members of a sequence are sent before it
    const byId = (id: number): RunKernel => this.#runs[id]!;
    const loaded = {
      id: this.#sent.length,
      label: kernel.label,
      run: instantiateKernel(code, this.#memory, byId),
    };
    this.#runs.push(loaded.run);
    const message: KernelMessage = { id: loaded.id, code };
    this.#sent.push(message);
    for (const port of this.#ports) port.postMessage(message);
    this.#kernels.set(kernel.key, loaded);
    return loaded;
  }

  #loadedCode(code: KernelCode): LoadedCode {
    switch (code.kind) {
      case 'javascript':
        return code;
      case 'sequence':
        return { kind: 'sequence', ids: code.kernels.map((member) => this.#load(member).id) };
      case 'wasm':
        return {
          kind: 'wasm',
          module: new WebAssembly.Module(code.bytes as Uint8Array<ArrayBuffer>),
        };
    }
  }

  #publish(
    kernel: LoadedKernel,
    args: number,
    begin: number,
    end: number,
    schedule: Schedule,
    background: boolean,
  ): void {
    const control = this.#control;
    control[Word.KERNEL] = kernel.id;
    control[Word.ARGS] = args | 0;
    control[Word.BEGIN] = begin;
    control[Word.END] = end;
    control[Word.CHUNK] = Math.max(1, schedule.chunk);
    control[Word.BACKGROUND] = background ? 1 : 0;
    control[Word.HEAP_BYTES] = this.#memory.buffer.byteLength | 0;
    control[Word.FAILED] = 0;
    if (schedule.kind === 'static') {
      const ranges = schedule.bounds.length - 1;
      if (ranges > this.threads) {
        throw new CorpuscleError(
          'INTERNAL',
          `a static schedule has ${ranges} ranges for ${this.threads} threads`,
        );
      }
      control[Word.RANGES] = ranges;
      const bounds = boundsOffset(this.threads);
      for (let k = 0; k <= ranges; k++) control[bounds + k] = schedule.bounds[k]!;
      for (let k = 0; k < ranges; k++) control[Word.CLAIMS + k] = 0;
    } else {
      control[Word.RANGES] = 0;
      control[Word.NEXT] = begin;
    }
    Atomics.store(control, Word.ACTIVE, OPEN); // sequentially consistent: publishes everything above
    Atomics.add(control, Word.GENERATION, 1);
    if (Atomics.load(control, Word.SLEEPING) > 0) Atomics.notify(control, Word.GENERATION);
  }

  /** The main thread's share, then the wait for the others. Returns what it threw itself. */
  #takePart(kernel: LoadedKernel): { error: unknown } | null {
    let failed: { error: unknown } | null = null;
    try {
      participate(this.#control, this.threads, 0, kernel.run);
    } catch (error) {
      abandon(this.#control, this.threads);
      failed = { error };
    }
    Atomics.and(this.#control, Word.ACTIVE, ~OPEN);
    this.#waitUntilAllAreOut();
    return failed;
  }

  #waitUntilAllAreOut(): void {
    const control = this.#control;
    if (Atomics.load(control, Word.ACTIVE) === 0) return;
    const deadline = performance.now() + SPIN_MILLISECONDS;
    do {
      for (let spin = 0; spin < 64; spin++) if (Atomics.load(control, Word.ACTIVE) === 0) return;
    } while (performance.now() < deadline);
    Atomics.store(control, Word.WAITING, 1);
    for (;;) {
      const active = Atomics.load(control, Word.ACTIVE);
      if (active === 0) break;
      Atomics.wait(control, Word.ACTIVE, active, 1000);
    }
    Atomics.store(control, Word.WAITING, 0);
  }

  #runAlone(
    kernel: LoadedKernel,
    args: number,
    begin: number,
    end: number,
    schedule: Schedule,
  ): void {
    const { run } = kernel;
    const chunk = Math.max(1, schedule.chunk);
    try {
      if (schedule.kind === 'dynamic') runInChunks(run, args, begin, end, chunk, 0);
      else {
        const { bounds } = schedule;
        for (let t = 0; t + 1 < bounds.length; t++)
          runInChunks(run, args, bounds[t]!, bounds[t + 1]!, chunk, t);
      }
    } catch (error) {
      throw this.#failure(kernel.label, error);
    }
  }

  /** Throws what went wrong in the job that has just ended. */
  #settle(kernel: LoadedKernel, own: { error: unknown } | null): void {
    if (own) throw this.#failure(kernel.label, own.error);
    if (this.#control[Word.FAILED] === 0) return;
    for (const port of this.#ports) {
      for (
        let received = receiveMessageOnPort(port);
        received;
        received = receiveMessageOnPort(port)
      ) {
        this.#receive(received.message as WorkerMessage);
      }
    }
    const failures = this.#workerErrors.splice(0);
    const failure = failures.find((one) => one.kernel === kernel.id) ?? failures[0];
    const error = new Error(failure?.message ?? 'a worker failed');
    if (failure) error.stack = failure.stack;
    throw this.#failure(kernel.label, error);
  }

  #failure(label: string, cause: unknown): CorpuscleError {
    if (cause instanceof CorpuscleError) return cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    return new CorpuscleError('KERNEL_FAILED', `'${label}' failed: ${message}`, { cause });
  }

  #launchNext(): void {
    if (this.#running) return;
    const job = this.#queue.shift();
    if (!job) {
      this.#keepAlive();
      return;
    }
    this.#running = job;
    this.#keepAlive();
    this.#publish(job.kernel, job.args, job.begin, job.end, job.schedule, true);
  }

  #complete(job: Job, own: { error: unknown } | null): void {
    this.#running = null;
    job.done = true;
    try {
      this.#settle(job.kernel, own);
      job.resolve();
    } catch (error) {
      job.reject(error);
    }
    this.#launchNext();
  }

  #receive(message: WorkerMessage): void {
    if (message.kind === 'failed') this.#workerErrors.push(message);
    else if (message.kind === 'ready') {
      if (Atomics.load(this.#control, Word.PRESENT) < this.threads - 1) return;
      for (const resolve of this.#waiters.splice(0)) resolve();
      this.#keepAlive();
    } else if (this.#running && message.generation === this.#control[Word.GENERATION]) {
      this.#complete(this.#running, null);
    }
  }

  /** The process lives on while somebody waits for a worker, and only then. */
  #keepAlive(): void {
    const needed = this.#running !== null || this.#waiters.length > 0;
    for (const port of this.#ports) {
      if (needed) port.ref();
      else port.unref();
    }
  }

  /** A worker has died: nothing can be computed any more, and whoever waits is told. */
  #break(error: unknown): void {
    if (this.#closed) return;
    this.#broken = error;
    for (const job of [...(this.#running ? [this.#running] : []), ...this.#queue]) {
      job.done = true;
      job.reject(this.#failure(job.kernel.label, error));
    }
    this.#running = null;
    this.#queue = [];
    for (const resolve of this.#waiters.splice(0)) resolve();
    this.#keepAlive();
  }
}

/** Beside the bundle when built; in dist when the sources are run as they are. */
function workerScript(): string {
  const inSources = import.meta.url.includes('/src/cpu/');
  return fileURLToPath(
    new URL(inSources ? '../../dist/worker.cjs' : './worker.cjs', import.meta.url),
  );
}
