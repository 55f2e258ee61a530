import { CorpuscleError, type Domain, type FieldBlock, type Grid } from '@corpuscle/core';
import type { Extent } from './PositionFrame.js';

/** The error for a position that is no number; the row is translated to the particle's id. */
export function notFinite(grid: Grid, row: number): CorpuscleError {
  const [id] = grid.block('id').piece(row, 1);
  return new CorpuscleError(
    'NOT_FINITE',
    `the position of particle ${id ?? row} is not a finite number: check the input, or lower the time step`,
  );
}

interface Known {
  readonly extent: Extent;
  readonly version: number;
  readonly count: number;
  readonly domain: Domain;
}

/** Where the host's positions of grids are, looked at once for each version of them. */
export class HostExtents {
  readonly #known = new WeakMap<FieldBlock, Known>();

  /** @throws CorpuscleError NOT_FINITE naming a particle whose position is no number */
  of(grid: Grid, domain: Domain): Extent {
    const { count } = grid;
    const block = grid.block('position');
    const version = block.hostVersion;
    const known = this.#known.get(block);
    if (known?.version === version && known.count === count && known.domain === domain)
      return known.extent;
    const extent = hostExtent(domain, block, count);
    if (extent.notFinite >= 0) throw notFinite(grid, extent.notFinite);
    this.#known.set(block, { extent, version, count, domain });
    return extent;
  }
}

/** Rows that are looked at together. */
const AT_ONCE = 2 ** 20;

/** Extent of the host's positions of `count` particles. @returns also the first row that is not finite, or −1. */
export function hostExtent(
  domain: Domain,
  positions: FieldBlock,
  count: number,
): Extent & { notFinite: number } {
  const lower: [number, number, number] = [Infinity, Infinity, Infinity];
  const upper: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let first = 0; first < count; first += AT_ONCE) {
    const many = Math.min(AT_ONCE, count - first);
    const rows = positions.piece(first, many) as Float64Array;
    const wrong = widen(domain, rows, many, lower, upper);
    if (wrong >= 0) return { lower: [0, 0, 0], upper: [1, 1, 1], notFinite: first + wrong };
  }
  if (count === 0) return { lower: [0, 0, 0], upper: [1, 1, 1], notFinite: -1 };
  return { lower, upper, notFinite: -1 };
}

/** Widens an extent by rows of positions. @returns the first row that is not finite, or −1. */
function widen(
  { origin, inverse }: Domain,
  rows: Float64Array,
  count: number,
  lower: [number, number, number],
  upper: [number, number, number],
): number {
  const finite = new Uint8Array(count).fill(1);
  for (let k = 0; k < 3; k++) {
    const [a, b, c] = [inverse[k]!, inverse[3 + k]!, inverse[6 + k]!];
    const [ox, oy, oz] = origin;
    let least = lower[k]!;
    let most = upper[k]!;
    for (let row = 0; row < count; row++) {
      const s =
        (rows[4 * row]! - ox) * a + (rows[4 * row + 1]! - oy) * b + (rows[4 * row + 2]! - oz) * c;
      if (!(Math.abs(s) < Infinity)) finite[row] = 0;
      if (s < least) least = s;
      if (s > most) most = s;
    }
    lower[k] = least;
    upper[k] = most;
  }
  return finite.indexOf(0);
}
