import type { SharedHeap } from '@corpuscle/core';
import type { ReduceCall, Totals } from '../plan/calls.js';
import type { RowQueue } from './RowQueue.js';
import type { ThreadPool } from './ThreadPool.js';

/** What pair and neighbor code needs of the CPU engine. */
export interface CpuServices {
  readonly heap: SharedHeap;
  readonly pool: ThreadPool;
  /** Work that goes row by row waits here to be done in one pass. */
  readonly rows: RowQueue;
  readonly precision: 'f64' | 'f32' | 'mixed';
  readonly lowering: 'simd' | 'scalar' | 'javascript';
  readonly deterministic: boolean;
  /** Parts in which pairs and neighborhoods are computed, each with sums of its own: one a thread, or a fixed number. */
  readonly parts: number;
  /** Pair kernels fuse multiply and add: faster, and the last bits differ between machines. */
  readonly relaxed: boolean;
}

/** What pair calls need. */
export interface PairServices extends CpuServices {
  /** Reduces over the particles of a grid, together with what waits. */
  readonly reduce: (call: ReduceCall) => Totals;
}
