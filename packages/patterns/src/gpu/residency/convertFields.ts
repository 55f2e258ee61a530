import type { BlockArray } from '@corpuscle/core';

/**
 * Host numbers to device words: f64 becomes f32, u64 two u32 (low word first), the rest keeps its bits. The result is a
 * copy in memory of its own, never a view of shared memory.
 */
export function fieldsToDevice(
  host: BlockArray,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> {
  if (host instanceof Float64Array || host instanceof Float32Array) {
    return bytesOf(new Float32Array(host.subarray(from, to)));
  }
  if (host instanceof BigUint64Array) return bytesOf(new BigUint64Array(host.subarray(from, to)));
  return bytesOf(new Uint32Array(host.subarray(from, to)));
}

/** Device words back to host numbers, from element `at` on. */
export function fieldsToHost(device: ArrayBuffer, host: BlockArray, at: number): void {
  if (host instanceof Float64Array || host instanceof Float32Array) {
    host.set(new Float32Array(device), at);
  } else if (host instanceof BigUint64Array) {
    host.set(new BigUint64Array(device), at);
  } else if (host instanceof Int32Array) {
    host.set(new Int32Array(device), at);
  } else {
    host.set(new Uint32Array(device), at);
  }
}

function bytesOf(array: { buffer: ArrayBuffer; byteLength: number }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, 0, array.byteLength);
}
