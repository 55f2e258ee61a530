import { type Grid, imageIndex } from '@corpuscle/core';
import type { GpuEngine } from '../../src/gpu/GpuEngine.js';
import type { EntryFormat } from '../../src/gpu/neighbors/EntryFormat.js';

/** Every pair the device lists for a grid, padding left out. Lists with an image must have the flag that says so. */
export async function readDeviceLists(
  engine: GpuEngine,
  grid: Grid,
): Promise<{ i: number; j: number; image: number }[]> {
  const lists = engine.neighbors.lists(grid)!;
  const { stream } = engine.gpu;
  const { rowBits } = lists.format;
  const counts = stream.read(lists.counts.buffer, 4 * grid.count);
  counts.flush();
  const listed = new Uint32Array(await counts.data);
  const pairs: { i: number; j: number; image: number }[] = [];
  for (const { first, end, entries: buffer } of lists.chunks) {
    const columns = stream.read(buffer.buffer, 4 * lists.stride * lists.capacity);
    columns.flush();
    const entries = new Uint32Array(await columns.data);
    for (let i = first; i < end; i++) {
      for (let k = 0; k < (listed[i]! & 0x7fffffff); k++) {
        const entry = entries[4 * ((k >> 2) * lists.stride + i - first) + (k & 3)]!;
        const image = imageOf(entry, lists.format);
        if (image !== NO_IMAGE && listed[i]! >>> 31 === 0)
          throw new Error(`row ${i} has an image, and no flag`);
        pairs.push({ i, j: entry & (2 ** rowBits - 1), image });
      }
    }
  }
  return pairs;
}

const NO_IMAGE = imageIndex(0, 0, 0);

function imageOf(entry: number, { rowBits, imageBits: b }: EntryFormat): number {
  if (b === 0) {
    const code = (entry >>> rowBits) ^ 21;
    return (code & 3) + 3 * ((code >> 2) & 3) + 9 * (code >> 4);
  }
  const along = (k: number) => (entry << (32 - rowBits - (k + 1) * b)) >> (32 - b);
  return imageIndex(along(0), along(1), along(2));
}
