import type { BlockArray } from '@corpuscle/core';
import { joinDouble, splitDouble } from '@corpuscle/functor/wgsl';
import type { DeviceType } from './DeviceBlock.js';

/**
 * Host numbers to device words: f64 becomes f32 or double-single, u64 two u32 (low word first), the rest keeps its bits.
 * The result is a copy in memory of its own, never a view of shared memory.
 */
export function fieldsToDevice(
  host: BlockArray,
  from: number,
  to: number,
  type: DeviceType,
): Uint8Array<ArrayBuffer> {
  if (host instanceof Float64Array && type.scalar === 'vec2f')
    return bytesOf(splitAll(host.subarray(from, to), type.words / 2));
  if (host instanceof Float64Array || host instanceof Float32Array) {
    return bytesOf(new Float32Array(host.subarray(from, to)));
  }
  if (host instanceof BigUint64Array) return bytesOf(new BigUint64Array(host.subarray(from, to)));
  return bytesOf(new Uint32Array(host.subarray(from, to)));
}

/** Device words back to host numbers, from element `at` on. Double-single numbers bring 48 bits. */
export function fieldsToHost(
  device: ArrayBuffer,
  host: BlockArray,
  at: number,
  type: DeviceType,
): void {
  if (host instanceof Float64Array && type.scalar === 'vec2f') {
    joinAll(new Float32Array(device), type.words / 2, host, at);
  } else if (host instanceof Float64Array || host instanceof Float32Array) {
    host.set(new Float32Array(device), at);
  } else if (host instanceof BigUint64Array) {
    host.set(new BigUint64Array(device), at);
  } else if (host instanceof Int32Array) {
    host.set(new Int32Array(device), at);
  } else {
    host.set(new Uint32Array(device), at);
  }
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

function joinAll(words: Float32Array, width: number, host: Float64Array, first: number): void {
  for (let k = 0; k < words.length / 2; k++) {
    const at = k + width * Math.floor(k / width);
    host[first + k] = joinDouble(words[at]!, words[at + width]!);
  }
}

function bytesOf(array: { buffer: ArrayBuffer; byteLength: number }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, 0, array.byteLength);
}
