import type { SharedHeap } from '@corpuscle/core';
import type { ThreadPool } from './ThreadPool.js';

/** What pair and neighbour code needs of the CPU engine. */
export interface CpuServices {
  readonly heap: SharedHeap;
  readonly pool: ThreadPool;
  readonly precision: 'f64' | 'f32' | 'mixed';
  readonly lowering: 'simd' | 'scalar' | 'javascript';
  readonly deterministic: boolean;
}
