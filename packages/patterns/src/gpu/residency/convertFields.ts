import type { BlockArray } from '@corpuscle/core';
import { splitDouble } from '@corpuscle/functor/wgsl';
import type { DeviceType } from './DeviceBlock.js';

/**
 * Host numbers to device words: f64 becomes f32 or double-single, u64 two u32 (low word first), the rest keeps its bits.
 * The result is a copy in memory of its own, never a view of shared memory.
 */
export function fieldsToDevice(host: BlockArray, type: DeviceType): Uint8Array<ArrayBuffer> {
  if (host instanceof Float64Array && type.scalar === 'vec2f')
    return bytesOf(splitAll(host, type.words / 2));
  if (host instanceof Float64Array || host instanceof Float32Array) {
    return bytesOf(new Float32Array(host));
  }
  if (host instanceof BigUint64Array) return bytesOf(new BigUint64Array(host));
  return bytesOf(new Uint32Array(host));
}

/** Rows of `width` numbers become rows of as many high parts and then as many low parts. */
function splitAll(values: Float64Array, width: number): Float32Array<ArrayBuffer> {
  const words = new Float32Array(2 * values.length);
  for (let k = 0; k < values.length; k++) {
    const at = k + width * Math.floor(k / width);
    const [high, low] = splitDouble(values[k]!);
    words[at] = high;
    words[at + width] = low;
  }
  return words;
}

function bytesOf(array: { buffer: ArrayBuffer; byteLength: number }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, 0, array.byteLength);
}
