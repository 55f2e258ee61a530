import { type Grid, idNumbers, type NeighborList } from '@corpuscle/core';

/**
 * Leaves of a full list the neighbors of own particles within the radius, in an order that does not depend on which rank owns what: that of
 * their ids, and of their places where images of one particle have one id. So that sums over neighbors have the same bits on any number of
 * ranks. Axes are open, and each particle has one entry.
 *
 * A particle is a neighbor of its neighbors: when one after the other, in this order, is put down in the entries of its neighbors,
 * each of these comes out in order.
 * @param isGhost by row
 */
export function keepOrdered(
  list: NeighborList,
  grid: Grid,
  radius: number,
  isGhost: Uint8Array,
): void {
  const { padding } = list;
  const positions = grid.block('position').array as Float64Array;
  const views = list.segments.map((segment) => {
    const indices = grid.heap.i32(segment.indices, segment.indexCount);
    const entries = grid.heap.i32(segment.entries, 4 * segment.entryCount);
    return { segment, entries, indices, found: indices.slice() };
  });
  const segmentOf = new Int32Array(grid.count).fill(-1);
  const [begin, end, next] = [0, 1, 2].map(() => new Int32Array(grid.count)) as Columns;
  for (const [s, { entries }] of views.entries())
    for (let e = 0; e < entries.length; e += 4) {
      const i = entries[e]!;
      segmentOf[i] = s;
      begin[i] = next[i] = entries[e + 2]!;
      end[i] = entries[e + 3]!;
    }
  for (const p of rowsInOrder(grid, positions)) {
    if (segmentOf[p] === -1) continue;
    const { found } = views[segmentOf[p]!]!;
    for (let k = begin[p]!; k < end[p]!; k++) {
      const i = found[k]!;
      if (i >= padding || isGhost[i] === 1) continue;
      const dx = positions[4 * p]! - positions[4 * i]!;
      const dy = positions[4 * p + 1]! - positions[4 * i + 1]!;
      const dz = positions[4 * p + 2]! - positions[4 * i + 2]!;
      if (dx * dx + dy * dy + dz * dz <= radius * radius)
        views[segmentOf[i]!]!.indices[next[i]!++] = p;
    }
  }
  for (const { segment, entries, indices } of views) {
    let kept = 0;
    for (let e = 0; e < entries.length; e += 4) {
      const i = entries[e]!;
      if (isGhost[i] === 1 || next[i] === begin[i]) continue;
      while ((next[i]! & 3) !== 0) indices[next[i]!++] = padding; // never beyond the run it came from
      entries.set([i, entries[e + 1]!, begin[i]!, next[i]!], 4 * kept++);
    }
    segment.entryCount = kept;
  }
}

type Columns = [Int32Array, Int32Array, Int32Array];

function rowsInOrder(grid: Grid, r: Float64Array): Uint32Array {
  const ids = idNumbers(grid.block('id').array as BigUint64Array, grid.count);
  const along = (a: number, b: number, k: number) => r[4 * a + k]! - r[4 * b + k]!;
  return Uint32Array.from(ids.keys()).sort(
    (a, b) => ids[a]! - ids[b]! || along(a, b, 0) || along(a, b, 1) || along(a, b, 2),
  );
}
