import type { NeighborList, SharedHeap } from '@corpuscle/core';

/**
 * Leaves of a full list the neighbors of own particles: those of ghosts are not known here, and their owners know them.
 * @param isGhost by row
 */
export function keepNeighborhoods(list: NeighborList, heap: SharedHeap, isGhost: Uint8Array): void {
  for (const segment of list.segments) {
    const entries = heap.i32(segment.entries, 4 * segment.entryCount);
    let kept = 0;
    for (let e = 0; e < entries.length; e += 4)
      if (isGhost[entries[e]!] === 0) entries.copyWithin(4 * kept++, e, e + 4);
    segment.entryCount = kept;
  }
}
