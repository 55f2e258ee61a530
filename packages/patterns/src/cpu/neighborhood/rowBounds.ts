import type { NeighborList, SharedHeap } from '@corpuscle/core';

/** How the rows of a full list are shared out. */
export interface RowShares {
  /** Rows of thread t: bounds[t] … bounds[t+1] − 1; all their entries lie in its segment. */
  readonly bounds: readonly number[];
  /** The largest number of listed neighbors of a particle. */
  readonly longest: number;
}

interface Known {
  readonly sortVersion: number;
  readonly shares: RowShares;
}
const known = new WeakMap<NeighborList, Known>();

/** Looks through a list once after each build. Rows without neighbors have no entries, and belong to a thread too. */
export function rowShares(
  heap: SharedHeap,
  list: NeighborList,
  count: number,
  sortVersion: number,
): RowShares {
  const present = known.get(list);
  if (present?.sortVersion === sortVersion) return present.shares;
  const bounds: number[] = [];
  let longest = 0;
  for (const segment of list.segments) {
    const entries = heap.i32(segment.entries, 4 * segment.entryCount);
    bounds.push(segment.entryCount > 0 ? entries[0]! : -1);
    let row = -1;
    let listed = 0;
    for (let e = 0; e < entries.length; e += 4) {
      if (entries[e] !== row) listed = 0;
      row = entries[e]!;
      listed += entries[e + 3]! - entries[e + 2]!;
      if (listed > longest) longest = listed;
    }
  }
  bounds.push(count);
  for (let t = bounds.length - 2; t >= 0; t--) if (bounds[t]! < 0) bounds[t] = bounds[t + 1]!;
  bounds[0] = 0;
  const shares = { bounds, longest };
  known.set(list, { sortVersion, shares });
  return shares;
}
