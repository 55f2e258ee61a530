import type { Precision } from '../../plan/chooseBackend.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { openDevice } from '../device/openDevice.js';
import { isTextDevice } from '../device/textDevice.js';
import { realsOf } from './DeviceReals.js';
import { probeDoubles } from './probeDoubles.js';

/** The precisions of a device, and why it has no others (empty when it has all). */
export interface DevicePrecisions {
  readonly precisions: readonly Precision[];
  readonly reason: string;
}

const ALL: readonly Precision[] = ['f32', 'mixed', 'f64'];

/** Sets a device up for a precision; `f64` and `mixed` are probed first. Do this before anything is stored on it. */
export async function preparePrecision(
  gpu: GpuDevice,
  precision: Precision,
): Promise<DevicePrecisions> {
  if (precision === 'f32') return { precisions: ['f32'], reason: '' };
  // A device that runs nothing cannot be probed: its kernels are those of one that has all precisions.
  const { reason, fused } = isTextDevice(gpu.device)
    ? { reason: null, fused: true }
    : await probeDoubles(gpu);
  if (reason !== null) return { precisions: ['f32'], reason };
  gpu.fusedProducts = fused;
  gpu.reals = realsOf[precision];
  return { precisions: ALL, reason: '' };
}

/**
 * What this machine's GPU can compute in; opens a device for a moment. Null where there is none.
 *
 * @example
 * const found = await probePrecisions(); // { precisions: ['f32', 'mixed', 'f64'], reason: '' }
 */
export async function probePrecisions(): Promise<DevicePrecisions | null> {
  const { gpu } = await openDevice();
  if (!gpu) return null;
  try {
    return await preparePrecision(gpu, 'f64');
  } finally {
    await gpu.close();
  }
}
