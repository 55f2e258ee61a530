import type { Grid } from '@corpuscle/core';
import type { GpuEngine } from '../../src/gpu/GpuEngine.js';
import { ROW_BITS } from '../../src/gpu/neighbours/DeviceLists.js';

/** Every pair the device lists for a grid, padding left out. */
export async function readDeviceLists(
  engine: GpuEngine,
  grid: Grid,
): Promise<{ i: number; j: number; image: number }[]> {
  const lists = engine.neighbours.lists(grid)!;
  const { stream } = engine.gpu;
  const counts = stream.read(lists.counts.buffer, 4 * grid.count);
  const columns = stream.read(lists.entries.buffer, 4 * lists.stride * lists.capacity);
  columns.hurry();
  const listed = new Uint32Array(await counts.data);
  const entries = new Uint32Array(await columns.data);
  const pairs: { i: number; j: number; image: number }[] = [];
  for (let i = 0; i < grid.count; i++) {
    for (let k = 0; k < listed[i]!; k++) {
      const entry = entries[k * lists.stride + i]!;
      pairs.push({ i, j: entry & (2 ** ROW_BITS - 1), image: entry >>> ROW_BITS });
    }
  }
  return pairs;
}
