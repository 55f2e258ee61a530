import type { NeighborList } from '@corpuscle/core';
import { checkLength } from './parameters.js';

/** A full list as a kernel of one thread a particle walks it. */
export interface GatherList {
  /** Two numbers a particle: its first entry, and how many it has. */
  readonly ranges: Float32Array;
  /** Two numbers an entry: the neighbor, and the image that shifts the central particle. */
  readonly list: Float32Array;
}

/** Sorts the pairs of a full list by central particle; nothing is left out. */
export function gatherList(full: NeighborList, count: number): GatherList {
  const ranges = new Float32Array(Math.max(4, 2 * count));
  full.forEachPair((i) => {
    ranges[2 * i + 1]!++;
  });
  let entries = 0;
  for (let row = 0; row < count; row++) {
    ranges[2 * row] = entries;
    entries += ranges[2 * row + 1]!;
  }
  checkLength(2 * entries, `neighbor lists of ${count} particles`);
  const list = new Float32Array(Math.max(4, 2 * entries));
  const next = Uint32Array.from({ length: count }, (_, row) => ranges[2 * row]!);
  full.forEachPair((i, j, image) => {
    const at = 2 * next[i]!++;
    list[at] = j;
    list[at + 1] = image;
  });
  return { ranges, list };
}
