import type { Domain } from '@corpuscle/core';
import type { Triple } from '../decomposition/Decomposition.js';
import type { Link } from '../decomposition/links.js';

/** Rows that are sent to one rank as one periodic image. */
export interface SentRows {
  readonly rank: number;
  readonly rows: Int32Array;
  /** Boxes that the image is away. */
  readonly boxes: Triple;
}

/**
 * The rows that each link sends, by rank.
 * @param positions rows of four numbers; along split axes inside the box
 */
export function sentRows(
  positions: Float64Array,
  count: number,
  domain: Domain,
  links: readonly Link[],
): readonly SentRows[] {
  const fractional = new Float64Array(3 * count);
  const s: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < count; row++) {
    domain.toFractional(positions[4 * row]!, positions[4 * row + 1]!, positions[4 * row + 2]!, s);
    fractional.set(s, 3 * row);
  }
  const found = new Int32Array(count);
  return [...links]
    .sort((a, b) => a.rank - b.rank)
    .map(({ rank, boxes, lower, upper }) => {
      const [la, lb, lc] = lower;
      const [ua, ub, uc] = upper;
      let length = 0;
      for (let row = 0; row < count; row++) {
        const sa = fractional[3 * row]!;
        const sb = fractional[3 * row + 1]!;
        const sc = fractional[3 * row + 2]!;
        if (sa >= la && sa <= ua && sb >= lb && sb <= ub && sc >= lc && sc <= uc)
          found[length++] = row;
      }
      return { rank, rows: found.slice(0, length), boxes };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** All rows that are sent, each once, in their order: no other particle has neighbors on other ranks. */
export function borderRows(sent: readonly SentRows[], count: number): Int32Array {
  const isSent = new Uint8Array(count);
  for (const { rows } of sent) for (const row of rows) isSent[row] = 1;
  const border = new Int32Array(isSent.reduce((sum, one) => sum + one, 0));
  let length = 0;
  for (let row = 0; row < count; row++) if (isSent[row] === 1) border[length++] = row;
  return border;
}
