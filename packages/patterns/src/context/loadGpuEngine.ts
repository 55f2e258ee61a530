import type { Grid } from '@corpuscle/core';
import type { PatternEngine } from '../engine/Engine.js';
import type { Account } from '../gpu/device/Accounts.js';
import type { GpuCounters } from '../gpu/device/GpuCounters.js';
import type { BackendName, Precision } from '../plan/chooseBackend.js';

/** The GPU engine as the context sees it. */
export interface GpuBackend extends PatternEngine {
  readonly name: 'webgpu';
  readonly precisions: readonly Precision[];
  /** Why the device has no other precisions; empty when it has all. */
  readonly precisionReason: string;
  /** Adapter and driver, for people. */
  readonly description: string;
  /** The operator of a simulation that makes the next calls. */
  operator: string;
  /** Transfers, dispatches and submits so far. */
  readonly counters: Readonly<GpuCounters>;
  /** False while calls wait to be started: until then blocks do not say what will be written on the device. */
  readonly idle: boolean;
  /** Resolves when every call made so far has been started. */
  started(): Promise<void>;
  /** Makes the host's table of cells that of the last sort, if the device made it. */
  fetchCells(grid: Grid): Promise<void>;
  /** Resolves when the device has done everything asked of it. */
  finished(): Promise<void>;
  /** Times every kernel from now on, where the device has time stamps. */
  startProfile(): void;
  /** What the device has done since `startProfile`. */
  profile(): Promise<GpuProfile>;
}

/** Operators and kernels by time, and what was moved. */
export interface GpuProfile {
  /** What each operator made the device do; operators whose kernels were joined share one, with ' + ' in its name. */
  readonly operators: readonly Account[];
  /** Empty where the device has no time stamps. */
  readonly kernels: readonly { label: string; dispatches: number; milliseconds: number }[];
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  readonly dispatches: number;
  readonly submits: number;
  /** Stretches of steps that were done again because their lists proved too old or too short. */
  readonly repeats: number;
}

export interface GpuRequest {
  readonly backend?: 'auto' | BackendName;
  readonly device?: GPUDevice;
  readonly precision: Precision;
  readonly deterministic?: boolean;
}

/**
 * Loads the GPU engine on first need, so that CPU runs never pay for Dawn.
 * Returns the engine, or null with the reason as one clause.
 */
export async function loadGpuEngine({
  backend = 'auto',
  device,
  precision,
  deterministic,
}: GpuRequest): Promise<{ engine: GpuBackend | null; reason: string }> {
  if (backend === 'auto' && !device && precision === 'f64') {
    const reason =
      'auto leaves precision f64 to the CPU, whose doubles have 53 bits (on WebGPU 48)';
    return { engine: null, reason };
  }
  const [{ openDevice }, { GpuEngine }, { preparePrecision }] = await Promise.all([
    import('../gpu/device/openDevice.js'),
    import('../gpu/GpuEngine.js'),
    import('../gpu/double/preparePrecision.js'),
  ]);
  const opened = await openDevice(device ? { device } : {});
  if (!opened.gpu) return { engine: null, reason: opened.reason };
  const prepared = await preparePrecision(opened.gpu, precision);
  const engine = new GpuEngine(opened.gpu, prepared, deterministic);
  return { engine, reason: engine.description };
}
