import type { BlockSpec } from '@corpuscle/core';

/** What particles take on a device at least, in bytes. */
export interface DeviceNeeds {
  readonly bytes: number;
  /** Of these neighbor lists. */
  readonly lists: number;
  /** The block with the widest rows, and what kernels can see of one buffer. */
  readonly block: { readonly name: string; readonly bytes: number; readonly limit: number };
  /** Particles that such a buffer holds. */
  readonly mostParticles: number;
}

/** A device that knows what particles take of its memory, and how much there is. */
export interface DeviceMemory {
  /** What particles with blocks like these take, and how many there can be. */
  needs(specs: readonly BlockSpec[], count: number, neighbors: number): DeviceNeeds;
  /** Bytes that can be had of its memory now, `wanted` at most: they are taken for a moment. */
  room(wanted: number): number;
}
