import type { ListSegment, NeighborList, RowRange } from '@corpuscle/core';

const colors = new WeakMap<
  NeighborList,
  { readonly of: number; readonly numbers: readonly number[] }
>();

/**
 * Which buffer each segment of a half list uses for the rows that entries at its border name. Segments whose ranges do not
 * overlap share one, so that there are few buffers, however many segments:
 *
 *   rows        0 ──────────────────────────────────────────► count
 *   buffer 0    [low of 3]   [ border of 0 ]  [ border of 2 ]
 *   buffer 1         [ border of 1 ]   …            [ border of 3 ]
 */
export function borderBuffers(list: NeighborList, sortVersion: number): readonly number[] {
  const known = colors.get(list);
  if (known?.of === sortVersion) return known.numbers;
  const taken: RowRange[][] = [];
  const numbers = list.segments.map(({ borderRows }: ListSegment) => {
    let k = taken.findIndex((ranges) => areApart(ranges, borderRows));
    if (k < 0) k = taken.push([]) - 1;
    taken[k] = [...taken[k]!, ...borderRows].sort((a, b) => a.first - b.first);
    return k;
  });
  colors.set(list, { of: sortVersion, numbers });
  return numbers;
}

/** Whether no ranges overlap; those of each list ascend. */
function areApart(some: readonly RowRange[], others: readonly RowRange[]): boolean {
  let k = 0;
  for (const { first, end } of some) {
    while (k < others.length && others[k]!.end <= first) k++;
    if (k < others.length && others[k]!.first < end) return false;
  }
  return true;
}
