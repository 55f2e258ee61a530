import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import type { Precision } from '../pattern/chooseBackend.js';
import { type OpenDeviceOptions, openDevice } from './device/openDevice.js';
import { GpuEngine } from './GpuEngine.js';

export interface GpuEngineOptions extends OpenDeviceOptions {
  /** Only 'f32' is available: WebGPU has no doubles. */
  readonly precision?: Precision;
  /** Unused: the engine works on blocks of any heap. */
  readonly heap?: SharedHeap;
}

/**
 * Opens a GPU and makes an engine on it.
 *
 * @throws CorpuscleError NO_ADAPTER with the reason; BACKEND_UNAVAILABLE for a precision other than f32.
 * @example
 * const engine = await createGpuEngine({ precision: 'f32' });
 * await engine.close();
 */
export async function createGpuEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const { precision = 'f32' } = options;
  if (precision !== 'f32') {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `precision ${precision} is not available on WebGPU, which computes in f32 in this version: use --precision f32, or --backend cpu`,
    );
  }
  const opened = await openDevice(options);
  if (!opened.gpu) {
    throw new CorpuscleError(
      'NO_ADAPTER',
      `backend webgpu was asked for, but ${opened.reason}: use backend cpu, or auto to let it choose`,
    );
  }
  return new GpuEngine(opened.gpu);
}
