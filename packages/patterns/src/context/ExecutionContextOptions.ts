import type { SharedHeap } from '@corpuscle/core';
import type { Engine } from '../engine/Engine.js';
import type { HostEngine } from '../engine/HostEngine.js';
import type { WebGpuDevice } from '../engine/WebGpuDevice.js';
import type { BackendName, Precision } from '../plan/chooseBackend.js';

/** How functors become CPU code: wasm with two or four lanes, wasm with one, or generated JavaScript. */
export type Lowering = 'simd' | 'scalar' | 'javascript';

/** What a context is made with. Everything has a default. */
export interface ExecutionContextOptions {
  /** Default 'auto': the GPU where there is a hardware one with the precision, otherwise the CPU. See also `registerEngine`. */
  readonly backend?: 'auto' | BackendName;
  /** Threads of the CPU engine, the main thread included; capped at the cores. Default: all cores. */
  readonly threads?: number;
  /** Default 'f64', or 'f32' when backend 'webgpu' or 'webgl' is asked for. */
  readonly precision?: Precision;
  /** Default 'simd'. */
  readonly lowering?: Lowering;
  /** Same seed, backend and device give the same bits, with any number of threads. Default false. */
  readonly deterministic?: boolean;
  /** Seconds after which a piece of work, on a device a submit, is taken to have no end, and the run fails. Default Infinity: stderr tells after 4 s. */
  readonly kernelLimit?: number;
  /** A WebGPU device to use instead of asking for one. It is not destroyed by `close`. */
  readonly device?: WebGpuDevice;
  /** Puts an engine around the CPU's, such as that of ranks. Default: none. */
  readonly around?: (engine: HostEngine) => HostEngine;
  /** Puts an engine around the one besides the CPU's, where there is one; it gets that of the CPU too. Default: none. */
  readonly aroundDevice?: (engine: Engine, host: HostEngine) => Engine;
  /** A heap to share with other contexts. Default: a new one. */
  readonly heap?: SharedHeap;
}
