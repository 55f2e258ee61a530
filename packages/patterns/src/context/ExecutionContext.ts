import { CorpuscleError, SharedHeap } from '@corpuscle/core';
import { CpuEngine } from '../cpu/CpuEngine.js';
import { availableThreads } from '../cpu/ThreadPool.js';
import type { CallOrder } from '../handles/CallOrder.js';
import { Watch } from '../handles/handles.js';
import { Lanes } from '../handles/Lanes.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { engineFor } from '../pattern/engineFor.js';
import type { BackendName, Machine, Precision } from '../plan/chooseBackend.js';
import { precisionUnavailable } from '../plan/precisionUnavailable.js';
import { ContextValue } from '../value/ContextValue.js';
import { type GpuBackend, loadGpuEngine } from './loadGpuEngine.js';
import { openWebgl, type WebglBackend } from './webglBackend.js';

/** How functors become CPU code: wasm with two or four lanes, wasm with one, or generated JavaScript. */
export type Lowering = 'simd' | 'scalar' | 'javascript';

/** What a context is made with. Everything has a default. */
export interface ExecutionContextOptions {
  /** Default 'auto': the GPU where there is a hardware one with the precision, otherwise the CPU. */
  readonly backend?: 'auto' | BackendName;
  /** Threads of the CPU engine, the main thread included; capped at the cores. Default: all cores. */
  readonly threads?: number;
  /** Default 'f64', or 'f32' when backend 'webgpu' is asked for. */
  readonly precision?: Precision;
  /** Default 'simd'. */
  readonly lowering?: Lowering;
  /** Same seed, backend, device and thread count give the same bits. Default false. */
  readonly deterministic?: boolean;
  /** A WebGPU device to use instead of asking for one. It is not destroyed by `close`. */
  readonly device?: GPUDevice;
  /** A heap to share with other contexts. Default: a new one. */
  readonly heap?: SharedHeap;
}

/**
 * Where patterns run: the threads, the device and the memory of a simulation. It owns them; `close()` ends them.
 * Make one with `createExecutionContext`.
 */
export class ExecutionContext implements Machine, AsyncDisposable {
  readonly requested: 'auto' | BackendName;
  /** Where functors run that nothing keeps from it. */
  readonly backend: BackendName;
  readonly threads: number;
  readonly precision: Precision;
  readonly lowering: Lowering;
  readonly deterministic: boolean;
  readonly heap: SharedHeap;
  readonly cpu: CpuEngine;
  readonly gpu: GpuBackend | null;
  /** Why there is no GPU, or what it is. */
  readonly gpuReason: string;
  /** WebGL through gpu.js, where it was asked for. */
  readonly webgl: WebglBackend | null;
  /** Keeps calls in program order when one of them has to wait for a transfer. */
  readonly lanes = new Lanes();
  /** The operator of a simulation that makes the next calls; empty where there is none. */
  operator = '';
  readonly #watch = new Watch();
  readonly #order = this.lanes.order();
  #closed = false;

  constructor(
    options: ExecutionContextOptions,
    gpu: GpuBackend | null,
    gpuReason: string,
    webgl: WebglBackend | null = null,
  ) {
    this.requested = options.backend ?? 'auto';
    this.precision = precisionOf(options);
    this.lowering = options.lowering ?? 'simd';
    this.deterministic = options.deterministic ?? false;
    this.heap = options.heap ?? new SharedHeap();
    this.gpu = gpu;
    this.gpuReason = gpuReason;
    this.webgl = webgl;
    const onGpu = gpu?.precisions.includes(this.precision) && this.requested !== 'cpu';
    this.backend = webgl ? 'webgl' : onGpu ? 'webgpu' : 'cpu';
    this.threads = threadsOf(options.threads);
    this.cpu = new CpuEngine({
      heap: this.heap,
      threads: this.threads,
      lowering: this.lowering,
      precision: this.precision,
      deterministic: this.deterministic,
    });
    webgl?.connect(this.cpu);
  }

  /** The lane of the program. */
  get order(): CallOrder {
    return this.#order;
  }

  /** Notes a call under way, so that its error does not vanish when nobody awaits it. */
  watched<R>(handle: PatternHandle<R>): PatternHandle<R> {
    return this.#watch.add(handle);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Makes a value: named real numbers that live where the context computes.
   *
   * @param initial their first values, by name.
   * @example
   * const thermostat = ctx.value({ twiceKinetic: 0, scale: 1 });
   */
  value<const V extends Readonly<Record<string, number>>>(
    initial: V,
  ): ContextValue<Extract<keyof V, string>> {
    const names = Object.keys(initial) as Extract<keyof V, string>[];
    const numbers = names.map((name) => initial[name]!);
    return new ContextValue(names, engineFor(this, this.backend).createValues(numbers));
  }

  /** Calls that follow are made by this operator of a simulation: errors and profiles of the GPU name it. */
  enterOperator(name: string): void {
    this.operator = name;
    if (this.gpu) this.gpu.operator = name;
  }

  /**
   * Ends threads and device; the process can exit afterwards. Closing twice does nothing.
   * @throws the error of a call that nobody has awaited.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.lanes.settled();
      this.cpu.finish();
      await this.#watch.settle();
    } finally {
      await this.gpu?.close();
      await this.webgl?.close();
      await this.cpu.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function precisionOf(options: ExecutionContextOptions): Precision {
  const single = options.backend === 'webgpu' || options.backend === 'webgl';
  return options.precision ?? (single ? 'f32' : 'f64');
}

function threadsOf(asked: number | undefined): number {
  const cores = availableThreads();
  if (asked === undefined) return cores;
  if (!Number.isInteger(asked) || asked < 1) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `threads is ${asked}: give a whole number from 1 to ${cores}`,
    );
  }
  return Math.min(asked, cores); // spinning threads without a core of their own are hundreds of times slower
}

const CHOICES = {
  backend: ['auto', 'cpu', 'webgpu', 'webgl'],
  precision: ['f64', 'f32', 'mixed'],
  lowering: ['simd', 'scalar', 'javascript'],
} as const;

/** JavaScript callers have no compiler that knows the choices. */
function checkChoice(name: keyof typeof CHOICES, value: string | undefined): void {
  const choices: readonly string[] = CHOICES[name];
  if (value === undefined || choices.includes(value)) return;
  throw new CorpuscleError('INVALID_VALUE', `${name} is '${value}': give ${choices.join(', ')}`);
}

/**
 * Makes an execution context.
 *
 * @throws CorpuscleError INVALID_VALUE for an unknown choice; NO_ADAPTER when backend 'webgpu' is asked for and there is none, with the reason;
 *   BACKEND_UNAVAILABLE when its device lacks the precision that was asked for.
 * @example
 * await using ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
 */
export async function createExecutionContext(
  options: ExecutionContextOptions = {},
): Promise<ExecutionContext> {
  threadsOf(options.threads);
  for (const name of ['backend', 'precision', 'lowering'] as const)
    checkChoice(name, options[name]);
  const requested = options.backend ?? 'auto';
  if (requested === 'webgl') return webglContext(options);
  const { engine, reason } =
    requested === 'cpu' && !options.device
      ? { engine: null, reason: 'the context was made with backend cpu' }
      : await loadGpuEngine({ ...options, precision: precisionOf(options) });
  if (requested === 'webgpu') {
    if (!engine) {
      throw new CorpuscleError(
        'NO_ADAPTER',
        `backend webgpu was asked for, but ${reason}; use backend cpu, or auto to let it choose`,
      );
    }
    const precision = precisionOf(options);
    if (!engine.precisions.includes(precision)) {
      await engine.close();
      throw precisionUnavailable(precision, engine.precisionReason);
    }
  }
  const ctx = new ExecutionContext(options, engine, reason);
  // Threads start while the caller goes on; until they serve, the main thread does all work. A failure shows at the next call.
  if (ctx.backend === 'cpu') ctx.cpu.pool.ready().catch(() => {});
  return ctx;
}

/** WebGL is taken only when it is asked for. */
async function webglContext(options: ExecutionContextOptions): Promise<ExecutionContext> {
  const webgl = await openWebgl();
  const precision = precisionOf(options);
  if (!webgl.precisions.includes(precision)) {
    await webgl.close();
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `precision ${precision} is not available on WebGL, which computes in f32: use --precision f32, or --backend cpu`,
    );
  }
  const reason = 'the context was made with backend webgl';
  return new ExecutionContext(options, null, reason, webgl);
}
