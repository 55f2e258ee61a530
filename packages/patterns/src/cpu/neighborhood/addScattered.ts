import type { Grid, RowRange } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { inChunks } from '../neighbors/launch.js';
import type { PairState } from '../pair/PairState.js';
import { reduceKernels, reductionEntry } from '../pair/reduceKernels.js';

const kernels = {
  f64: reduceKernels['f64 f64'],
  f32: reduceKernels['f32 f32'],
  i32: reduceKernels['i32 i32'],
};

/** A buffer of a thread, and the rows it may write there. */
export interface ScatterBuffer {
  readonly address: number;
  readonly rows: readonly RowRange[];
}

/** Buffers of threads, by the block they are added to. */
export type ScatterBuffers = ReadonlyMap<string, readonly ScatterBuffer[]>;

/**
 * Adds what each thread gave to neighbors to the fields, in the order of the threads, and leaves the buffers zero.
 *
 * @param buffers the threads' buffers, by the block they are added to
 */
export function addScattered(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  buffers: ScatterBuffers,
): void {
  for (const [name, ofThreads] of buffers) {
    const ranges = ofThreads.flatMap(({ address, rows }) =>
      rows.map(({ first, end }) => ({ address, first, end })),
    );
    const block = grid.block(name);
    const { width, type } = block.spec;
    const units = Math.ceil((grid.count * width) / 4);
    const table = state
      .buffer(`reduction ${name}`)
      .reserve(reductionEntry.bytes * Math.max(1, ranges.length));
    const entries = services.heap.i32(table, (reductionEntry.bytes / 4) * ranges.length);
    ranges.forEach(({ address, first, end }, k) => {
      const own = [Math.floor((first * width) / 4), Math.ceil((end * width) / 4)];
      entries.set([services.heap.word(address), ...own, 0], 4 * k);
    });
    const storage = type === 'f64' || type === 'f32' ? type : 'i32';
    const kernel = kernels[storage]();
    const record = state.buffer(`reduce ${name}`).reserve(kernel.args.bytes);
    const values = { target: block.place, buffers: table, count: ranges.length };
    kernel.args.write(services.heap, record, values);
    services.pool.run(kernel, record, 0, units, inChunks);
  }
}
