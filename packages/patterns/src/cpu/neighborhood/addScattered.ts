import type { Grid } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { inChunks } from '../neighbors/launch.js';
import type { PairState } from '../pair/PairState.js';
import { reduceKernels, reductionEntry } from '../pair/reduceKernels.js';

const kernels = {
  f64: reduceKernels['f64 f64'],
  f32: reduceKernels['f32 f32'],
  i32: reduceKernels['i32 i32'],
};

/**
 * Adds what each thread gave to neighbors to the fields, in the order of the threads, and leaves the buffers zero.
 *
 * @param buffers addresses of the threads' buffers, by the block they are added to
 */
export function addScattered(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  buffers: ReadonlyMap<string, readonly number[]>,
): void {
  for (const [name, addresses] of buffers) {
    const block = grid.block(name);
    const { width, type } = block.spec;
    const units = Math.ceil((grid.count * width) / 4);
    const table = state
      .buffer(`reduction ${name}`)
      .reserve(reductionEntry.bytes * addresses.length);
    const entries = services.heap.i32(table, (reductionEntry.bytes / 4) * addresses.length);
    addresses.forEach((address, k) => {
      entries.set([services.heap.word(address), 0, units, 0], 4 * k);
    });
    const storage = type === 'f64' || type === 'f32' ? type : 'i32';
    const kernel = kernels[storage]();
    const record = state.buffer(`reduce ${name}`).reserve(kernel.args.bytes);
    const values = { target: block.place, buffers: table, count: addresses.length };
    kernel.args.write(services.heap, record, values);
    services.pool.run(kernel, record, 0, units, inChunks);
  }
}
