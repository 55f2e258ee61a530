import { strainNames } from '../../box/strainedBox.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Readback } from '../device/Readbacks.js';
import { VALUE_BYTES } from '../values/ValueStore.js';
import type { DeviceStrain } from './DeviceStrain.js';

/**
 * Reads the nine numbers of a strain as they are after everything recorded so far.
 * @param values those of the context, or a copy.
 */
export function readStrain(
  { stream }: GpuDevice,
  values: GPUBuffer,
  strain: DeviceStrain,
): { readonly readback: Readback; readonly numbers: Promise<readonly number[]> } {
  const readback = stream.read(
    values,
    VALUE_BYTES * strainNames.length,
    VALUE_BYTES * strain.place,
  );
  const numbers = readback.data.then((data) => strain.numbersIn(data));
  return { readback, numbers };
}
