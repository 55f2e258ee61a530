import type { FieldBlock, Grid, RowRange } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { inChunks } from '../neighbors/launch.js';
import type { PairState } from '../pair/PairState.js';
import { reduceKernels, reductionEntry } from '../pair/reduceKernels.js';
import type { RowWork } from '../RowQueue.js';

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
 * Adds what each thread gave to neighbors to the fields, in the order of the threads, and leaves the buffers zero. Rows of four
 * numbers wait for what the caller does next with them; others are added at once.
 *
 * @param buffers the threads' buffers, by the block they are added to; they are the same until the next sort
 */
export function addScattered(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  buffers: ScatterBuffers,
): void {
  const { sortVersion } = grid;
  for (const [name, ofThreads] of buffers) {
    const block = grid.block(name);
    let known = state.reductions.get(name);
    if (known?.sortVersion !== sortVersion) {
      known = { sortVersion, work: reduction(services, state, block, ofThreads) };
      state.reductions.set(name, known);
    }
    const { work } = known;
    const { width } = block.spec;
    if (width === 4) services.rows.add(grid, work);
    else {
      const units = Math.ceil((grid.count * width) / 4);
      services.pool.run(work.kernel, work.record, 0, units, inChunks);
    }
  }
}

/** Where the buffers of a block are, and what adds them up. */
function reduction(
  { heap }: CpuServices,
  state: PairState,
  block: FieldBlock,
  buffers: readonly ScatterBuffer[],
): RowWork {
  const { name, width, type } = block.spec;
  const ranges = buffers.flatMap(({ address, rows }) =>
    rows.map(({ first, end }) => [
      heap.word(address),
      Math.floor((first * width) / 4),
      Math.ceil((end * width) / 4),
      0,
    ]),
  );
  const bytes = reductionEntry.bytes * Math.max(1, ranges.length);
  const table = state.buffer(`reduction ${name}`).reserve(bytes);
  heap.i32(table, bytes / 4).set(ranges.flat());
  const storage = type === 'f64' || type === 'f32' ? type : 'i32';
  const kernel = kernels[storage]();
  const record = state.buffer(`reduce ${name}`).reserve(kernel.args.bytes);
  kernel.args.write(heap, record, {
    target: block.place,
    buffers: table,
    count: ranges.length,
  });
  return { kernel, record, blocks: [block] };
}
