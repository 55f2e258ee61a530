import type { NeighborList, SharedHeap } from '@corpuscle/core';

/**
 * Leaves of a full list what the ranks must still compute: pairs of an own particle, as the central one, and a ghost. Pairs of
 * own particles are met in their own grid, and pairs of ghosts by their owners.
 * @param isGhost by row
 */
export function keepGhostPairs(list: NeighborList, heap: SharedHeap, isGhost: Uint8Array): void {
  const { padding } = list;
  for (const segment of list.segments) {
    const entries = heap.i32(segment.entries, 4 * segment.entryCount);
    const indices = heap.i32(segment.indices, segment.indexCount);
    let kept = 0;
    let end = 0;
    for (let e = 0; e < entries.length; e += 4) {
      const [i, image, j0, j1] = [entries[e]!, entries[e + 1]!, entries[e + 2]!, entries[e + 3]!];
      if (isGhost[i] === 1) continue;
      const begin = end;
      for (let k = j0; k < j1; k++) {
        const j = indices[k]!;
        if (j < padding && isGhost[j] === 1) indices[end++] = j;
      }
      if (end === begin) continue;
      while ((end & 3) !== 0) indices[end++] = padding; // never beyond the run it came from
      entries.set([i, image, begin, end], 4 * kept++);
    }
    segment.entryCount = kept;
    segment.indexCount = end;
  }
}
