import type { Grid } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import {
  countBucketsKernel,
  fillBucketsKernel,
  sortBucketsKernel,
} from './kernels/bucketKernels.js';
import { countingSortKernel } from './kernels/sortKernels.js';
import { launch, onMainThread } from './launch.js';
import type { NeighborState } from './NeighborState.js';

/** Fewer rows are sorted by one thread. */
const FEW = 4096;
/** Buckets a thread: they have unequal numbers of rows. */
const BUCKETS_EACH = 4;

/**
 * Stable sort of rows by their keys, numbers of cells: fills the table of cells and `state.order`, where order[k] is the old row that
 * becomes row k. Threads list the rows of their part by bucket, a run of cells; then they sort buckets:
 *
 *   rows    part 0: 0 … a − 1       part 1: a … b − 1     …
 *   rows    bucket 0: part 0, part 1, … │ bucket 1: part 0, part 1, … │ …
 *   order   by cell │ by cell │ …
 */
export function sortByCell(services: CpuServices, state: NeighborState, grid: Grid): void {
  const { pool, heap } = services;
  const { count } = grid;
  const keys = state.keys.address;
  const order = state.order.reserve(4 * count);
  const cells = grid.cells.count;
  const start = grid.cells.startAddress;
  if (pool.threads === 1 || count < FEW) {
    const next = state.scratch.reserve(4 * cells);
    const values = { keys, order, start, next, count, cells };
    const range = { end: 1, schedule: onMainThread };
    launch(services, state.record, countingSortKernel(), values, range);
    return;
  }
  const parts = pool.threads;
  let shift = 0;
  while (cells >> shift > BUCKETS_EACH * parts) shift++;
  const buckets = ((cells - 1) >> shift) + 1;
  const words = [cells, count, buckets + 1, parts * buckets];
  const sizes = words.map((length) => 4 * (length + 16)); // apart by a line of memory
  const next = state.scratch.reserve(sizes.reduce((a, b) => a + b));
  const rows = next + sizes[0]!;
  const firsts = rows + sizes[1]!;
  const numbers = firsts + sizes[2]!;
  const found = heap.i32(numbers, parts * buckets).fill(0);
  const bounds = Array.from({ length: parts + 1 }, (_, t) => Math.floor((count * t) / parts));
  const schedule = { kind: 'static', bounds, chunk: 8192 } as const;
  const values = { keys, numbers, shift, buckets, rows, firsts, order, start, next, cells };
  launch(services, state.record, countBucketsKernel(), values, { end: count, schedule });
  const begins = heap.i32(firsts, buckets + 1);
  let sum = 0;
  for (let b = 0; b < buckets; b++) {
    begins[b] = sum;
    for (let t = 0; t < parts; t++) {
      const those = found[t * buckets + b]!;
      found[t * buckets + b] = sum;
      sum += those;
    }
  }
  begins[buckets] = sum;
  heap.i32(start, cells + 1)[cells] = count;
  launch(services, state.record, fillBucketsKernel(), values, { end: count, schedule });
  const each = { kind: 'dynamic', chunk: 1 } as const;
  launch(services, state.record, sortBucketsKernel(), values, { end: buckets, schedule: each });
}
