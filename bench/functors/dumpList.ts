import { writeFileSync } from 'node:fs';
import type { Grid } from '@corpuscle/core';
import { neighborState } from '../../packages/patterns/src/cpu/neighbors/NeighborState.js';

/**
 * Writes positions, types and the half list of a grid for the C++ program, all little-endian:
 *
 *   i32 ×4   particles, entries, index slots, 0
 *   f64 ×3   box lengths
 *   f64 ×4n  x y z 0 a particle
 *   u32 ×n   types
 *   i32 ×4e  entries {i, image, j0, j1}
 *   i32 ×s   neighbors, padding left in
 *
 * @returns the number of listed pairs closer than rcut, each once.
 */
export function dumpList(grid: Grid, file: string, rcut: number): number {
  const list = neighborState(grid).lists.get('half');
  if (list?.segments.length !== 1) throw new Error('run a newton3 functor on one thread first');
  const segment = list.segments[0]!;
  const { domain, heap, count } = grid;
  const lengths = [0, 4, 8].map((k) => domain.matrix[k]!);
  const positions = (grid.block('position').array as Float64Array).slice(0, 4 * count);
  let pairs = 0;
  list.forEachPair((i, j, image) => {
    let r2 = 0;
    for (let axis = 0; axis < 3; axis++) {
      const shift = ((Math.floor(image / 3 ** axis) % 3) - 1) * lengths[axis]!;
      r2 += (positions[4 * i + axis]! + shift - positions[4 * j + axis]!) ** 2;
    }
    if (r2 < rcut * rcut) pairs++;
  });
  const parts = [
    Int32Array.of(count, segment.entryCount, segment.indexCount, 0),
    Float64Array.from(lengths),
    positions,
    (grid.block('type').array as Uint32Array).slice(0, count),
    heap.i32(segment.entries, 4 * segment.entryCount).slice(),
    heap.i32(segment.indices, segment.indexCount).slice(),
  ];
  const bytes = ({ buffer, byteOffset, byteLength }: (typeof parts)[number]) =>
    Buffer.from(buffer, byteOffset, byteLength);
  writeFileSync(file, Buffer.concat(parts.map(bytes)));
  return pairs;
}
