import type { Members } from './Members.js';

/** The partners of row `rows[k]` are `partners[starts[k]]` to `partners[starts[k + 1] − 1]`. */
export interface Partners {
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
  readonly partners: Uint32Array;
}

/**
 * The pairs of slot k of one group with slot k of the other, seen from both particles; a slot with one particle twice is no
 * pair.
 */
export function partnersOf({ slotsA, slotsB }: Pick<Members, 'slotsA' | 'slotsB'>): Partners {
  const lists = new Map<number, number[]>();
  const add = (row: number, partner: number): void => {
    const list = lists.get(row);
    if (list) list.push(partner);
    else lists.set(row, [partner]);
  };
  slotsA.forEach((a, k) => {
    const b = slotsB[k]!;
    if (a === b) return;
    add(a, b);
    add(b, a);
  });
  const starts = new Uint32Array(lists.size + 1);
  [...lists.values()].forEach((list, k) => {
    starts[k + 1] = starts[k]! + list.length;
  });
  return {
    rows: Uint32Array.from(lists.keys()),
    starts,
    partners: Uint32Array.from([...lists.values()].flat()),
  };
}
