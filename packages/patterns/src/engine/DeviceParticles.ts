import type { Domain } from '@corpuscle/core';
import type { WebGpuBuffer, WebGpuDevice } from './WebGpuDevice.js';

/** Where a block lies on a device: rows of `words` words of 32 bits, of which member k of the block is word k. */
export interface DeviceRows {
  readonly buffer: WebGpuBuffer;
  readonly words: number;
  /** What a word is; of ids (`u32`) and double-single numbers (`f32`) it is the larger part. */
  readonly holds: 'f32' | 'u32' | 'i32';
}

/**
 * Particles in the memory of a device, in their box. Rows of `position` are `[ x | y | z | cell ]` from the center of a cell, where
 * `cell = cx | cy << 10 | cz << 20`: r = center + cx·a + cy·b + cz·c + (x, y, z), and `edges` are a, b and c by rows.
 */
export interface DeviceParticles {
  readonly device: WebGpuDevice;
  readonly count: number;
  readonly blocks: ReadonlyMap<string, DeviceRows>;
  readonly edges: readonly number[];
  readonly center: readonly number[];
  readonly domain: Domain;
  /** Where the strain of the box begins, in pairs of floats, if the device deforms it: E (xx yy zz xy xz yz), T; r → r·(1+E) + T. */
  readonly strain: { readonly buffer: WebGpuBuffer; readonly first: number } | null;
}
