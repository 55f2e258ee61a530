import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import { notFinite } from '../../plan/refusals.js';
import type { Extent } from './PositionFrame.js';

interface Known {
  readonly extent: Extent;
  readonly version: number;
  readonly count: number;
  readonly domain: Domain;
}

/** The extent of a grid's positions on the host, found once for each version of them. */
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
const AT_ONCE = 2 ** 15;

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
  const [ox, oy, oz] = origin;
  const [xa, xb, xc, ya, yb, yc, za, zb, zc] = inverse as Nine;
  let [leastA, leastB, leastC] = lower;
  let [mostA, mostB, mostC] = upper;
  for (let row = 0; row < count; row++) {
    const x = rows[4 * row]! - ox;
    const y = rows[4 * row + 1]! - oy;
    const z = rows[4 * row + 2]! - oz;
    const a = x * xa + y * ya + z * za;
    const b = x * xb + y * yb + z * zb;
    const c = x * xc + y * yc + z * zc;
    if (!(Math.abs(a) < Infinity && Math.abs(b) < Infinity && Math.abs(c) < Infinity)) return row;
    if (a < leastA) leastA = a;
    if (a > mostA) mostA = a;
    if (b < leastB) leastB = b;
    if (b > mostB) mostB = b;
    if (c < leastC) leastC = c;
    if (c > mostC) mostC = c;
  }
  lower.splice(0, 3, leastA, leastB, leastC);
  upper.splice(0, 3, mostA, mostB, mostC);
  return -1;
}

type Nine = readonly [...Three, ...Three, ...Three];
type Three = readonly [number, number, number];
