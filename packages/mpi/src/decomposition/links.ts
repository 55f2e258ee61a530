import type { Domain } from '@corpuscle/core';
import type { Decomposition, Triple } from './Decomposition.js';

/** Bricks are reached a little farther than they must be: particles may lie outside of theirs by a rounding. */
const SLACK = 1 + 1e-9;
/** The same in lattice coordinates. */
const EDGE = 1e-12;

/** Particles of one rank that another one sees, as they are or as periodic images. */
export interface Link {
  /** The rank that sees them. */
  readonly rank: number;
  /** Boxes that their images are away. */
  readonly boxes: Triple;
  /** Lattice coordinates of those that it sees: lower ≤ s ≤ upper. */
  readonly lower: Triple;
  readonly upper: Triple;
}

/**
 * Whom a rank sends its particles to: each rank, itself too, of which an image of them lies within `reach`. Distances to a brick are
 * measured along the three normals of the box, so that never one is left out.
 * @param reach a length. @param stray how far particles of any rank are outside of its brick at most
 */
export function linksOf(
  decomposition: Decomposition,
  domain: Domain,
  rank: number,
  reach: number,
  stray = 0,
): readonly Link[] {
  const { bricks, split } = decomposition;
  const margin = domain.heights.map((height) => ((reach + stray) / height) * SLACK + EDGE);
  const beside = domain.heights.map((height) => (stray / height) * SLACK);
  const own = {
    lower: bricks[rank]!.lower.map((end, k) => end - beside[k]!),
    upper: bricks[rank]!.upper.map((end, k) => end + beside[k]!),
  };
  const links: Link[] = [];
  for (const [other, brick] of bricks.entries()) {
    // What the other rank sees, by axis: where it begins, where it ends, and the images that may lie there.
    const along = [0, 1, 2].map((k) => {
      const lower = split[k] ? brick.lower[k]! - margin[k]! : -Infinity;
      const upper = split[k] ? brick.upper[k]! + margin[k]! : Infinity;
      const isRepeated = split[k] && domain.periodic[k];
      const first = isRepeated ? Math.ceil(lower - own.upper[k]! - EDGE) : 0;
      const last = isRepeated ? Math.floor(upper - own.lower[k]! + EDGE) : 0;
      return { lower, upper, first, last };
    });
    const [a, b, c] = along as [Along, Along, Along];
    for (let kc = c.first; kc <= c.last; kc++)
      for (let kb = b.first; kb <= b.last; kb++)
        for (let ka = a.first; ka <= a.last; ka++) {
          const boxes: Triple = [ka, kb, kc];
          if (other === rank && ka === 0 && kb === 0 && kc === 0) continue;
          const lower = along.map((one, k) => one.lower - boxes[k]!) as unknown as Triple;
          const upper = along.map((one, k) => one.upper - boxes[k]!) as unknown as Triple;
          const meets = [0, 1, 2].every(
            (k) => lower[k]! <= own.upper[k]! && upper[k]! >= own.lower[k]!,
          );
          if (meets) links.push({ rank: other, boxes, lower, upper });
        }
  }
  return links;
}

interface Along {
  readonly lower: number;
  readonly upper: number;
  readonly first: number;
  readonly last: number;
}
