import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import type { Precision } from '../plan/chooseBackend.js';
import { precisionUnavailable } from '../plan/precisionUnavailable.js';
import { type OpenDeviceOptions, openDevice } from './device/openDevice.js';
import { preparePrecision } from './double/preparePrecision.js';
import { GpuEngine } from './GpuEngine.js';

/** The device of an engine, and its precision. */
export interface GpuEngineOptions extends OpenDeviceOptions {
  /** Default 'f32'. 'f64' and 'mixed' compute with pairs of floats, where the device does that exactly. */
  readonly precision?: Precision;
  /** Unused: the engine works on blocks of any heap. */
  readonly heap?: SharedHeap;
}

/**
 * Opens a GPU and makes an engine on it.
 *
 * @throws CorpuscleError NO_ADAPTER with the reason; BACKEND_UNAVAILABLE for a precision that the device lacks.
 * @example
 * const engine = await createGpuEngine({ precision: 'f32' });
 * await engine.close();
 */
export async function createGpuEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const { precision = 'f32' } = options;
  const opened = await openDevice(options);
  if (!opened.gpu) {
    throw new CorpuscleError(
      'NO_ADAPTER',
      `backend webgpu was asked for, but ${opened.reason}: use backend cpu, or auto to let it choose`,
    );
  }
  const found = await preparePrecision(opened.gpu, precision);
  if (!found.precisions.includes(precision)) {
    await opened.gpu.close();
    throw precisionUnavailable(precision, found.reason);
  }
  return new GpuEngine(opened.gpu, found);
}
