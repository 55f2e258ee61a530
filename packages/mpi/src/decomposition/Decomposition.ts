import type { Domain } from '@corpuscle/core';

/** Three numbers, for the lattice vectors a, b and c. */
export type Triple = readonly [number, number, number];

/** The part of the box that a rank owns, in lattice coordinates: lower ≤ s < upper. Open axes reach to ±Infinity. */
export interface Brick {
  readonly lower: Triple;
  readonly upper: Triple;
}

/** A cut of the box across an axis, or a rank. */
type Node =
  | { readonly rank: number }
  | { readonly axis: number; readonly cut: number; readonly below: Node; readonly above: Node };

/**
 * How the box is divided between ranks: a tree of cuts, each across one axis (Berger and Bokhari, IEEE Trans. Comput. C-36, 570,
 * 1987). Every point of the box belongs to one rank.
 *
 *   ┌─────────┬───┐
 *   │    1    │   │     first cut: between {0, 1} and {2}, two to one
 *   ├─────────┤ 2 │     second: between 0 and 1
 *   │    0    │   │
 *   └─────────┴───┘
 */
export class Decomposition {
  /** By rank. */
  readonly bricks: readonly Brick[];
  /** Axes that cuts cross, or all: along them, and along no other, there are ghosts. */
  readonly split: readonly [boolean, boolean, boolean];
  readonly #root: Node;

  private constructor(root: Node, bricks: readonly Brick[], split: [boolean, boolean, boolean]) {
    this.#root = root;
    this.bricks = bricks;
    this.split = split;
  }

  /**
   * Divides a box so that each rank has the same weight, by recursive bisection: the longest side is cut first.
   * @param points lattice coordinates, three a particle, inside the box
   * @param weights what each costs; default: all the same
   * @param splitAll whether there are ghosts along all axes, cut or not
   */
  static bisect(
    domain: Domain,
    points: Float64Array,
    size: number,
    weights: Float64Array | null = null,
    splitAll = false,
  ): Decomposition {
    const bricks: Brick[] = [];
    const split: [boolean, boolean, boolean] = [splitAll, splitAll, splitAll];
    const bisect = (members: Uint32Array, brick: Brick, first: number, count: number): Node => {
      if (count === 1) {
        bricks[first] = brick;
        return { rank: first };
      }
      const half = count >> 1;
      const axis = longestAxis(domain, points, members, brick);
      split[axis] = true;
      const cut = cutAt(points, members, weights, { axis, brick, share: half / count });
      const isBelow = (k: number) => points[3 * k + axis]! < cut;
      const below = bisect(
        members.filter(isBelow),
        { ...brick, upper: withAxis(brick.upper, axis, cut) },
        first,
        half,
      );
      const above = bisect(
        members.filter((k) => !isBelow(k)),
        { ...brick, lower: withAxis(brick.lower, axis, cut) },
        first + half,
        count - half,
      );
      return { axis, cut, below, above };
    };
    const all = Uint32Array.from({ length: points.length / 3 }, (_, k) => k);
    const bounds = (periodic: number, open: number): Triple => {
      const along = (k: 0 | 1 | 2) => (domain.periodic[k] ? periodic : open);
      return [along(0), along(1), along(2)];
    };
    const whole = { lower: bounds(0, -Infinity), upper: bounds(1, Infinity) };
    const root = bisect(all, whole, 0, size);
    return new Decomposition(root, bricks, split);
  }

  /** The rank that owns a point. Outside of the box it is that of the nearest side. */
  ownerOf(sa: number, sb: number, sc: number): number {
    let node = this.#root;
    while ('axis' in node) {
      const s = node.axis === 0 ? sa : node.axis === 1 ? sb : sc;
      node = s < node.cut ? node.below : node.above;
    }
    return node.rank;
  }
}

const withAxis = (values: Triple, axis: number, value: number): Triple =>
  values.map((one, k) => (k === axis ? value : one)) as unknown as Triple;

/** The axis along which a brick is longest; along open axes its particles tell. */
function longestAxis(
  domain: Domain,
  points: Float64Array,
  members: Uint32Array,
  { lower, upper }: Brick,
): number {
  let longest = 0;
  let most = -1;
  for (let axis = 0; axis < 3; axis++) {
    let length = upper[axis]! - lower[axis]!;
    if (!Number.isFinite(length)) {
      let [least, largest] = [Infinity, -Infinity];
      for (const k of members) {
        least = Math.min(least, points[3 * k + axis]!);
        largest = Math.max(largest, points[3 * k + axis]!);
      }
      length = Math.max(0, largest - least);
    }
    if (length * domain.heights[axis]! <= most) continue;
    longest = axis;
    most = length * domain.heights[axis]!;
  }
  return longest;
}

interface Cut {
  readonly axis: number;
  readonly brick: Brick;
  /** The part of the weight that shall be below it. */
  readonly share: number;
}

/** Where to cut: in the middle between two particles, so that layers of a crystal lie on one side. */
function cutAt(
  points: Float64Array,
  members: Uint32Array,
  weights: Float64Array | null,
  { axis, brick, share }: Cut,
): number {
  const [lower, upper] = [brick.lower[axis]!, brick.upper[axis]!];
  const order = Float64Array.from(members, (k) => points[3 * k + axis]!);
  const ranked = weights
    ? Uint32Array.from(order.keys()).sort((a, b) => order[a]! - order[b]!)
    : null;
  const sorted = ranked ? Float64Array.from(ranked, (k) => order[k]!) : order.sort();
  const weightOf = (k: number) => (weights ? weights[members[ranked![k]!]!]! : 1);
  let total = 0;
  for (let k = 0; k < sorted.length; k++) total += weightOf(k);
  let best = Number.isFinite(upper - lower) ? lower + share * (upper - lower) : 0;
  let least = Infinity;
  let sum = 0;
  for (let k = 1; k < sorted.length; k++) {
    sum += weightOf(k - 1);
    if (sorted[k] === sorted[k - 1]) continue;
    const error = Math.abs(sum - share * total);
    if (error >= least) continue;
    least = error;
    best = (sorted[k - 1]! + sorted[k]!) / 2;
  }
  return best;
}
