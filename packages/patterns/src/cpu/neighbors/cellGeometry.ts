import type { Domain } from '@corpuscle/core';

/** Fractional extent of the particles along the three lattice vectors; 0 … 1 along periodic ones. */
export interface Extent {
  readonly lower: readonly [number, number, number];
  readonly upper: readonly [number, number, number];
}

/** How cells tile the region that holds the particles. */
export interface CellGeometry {
  readonly dims: readonly [number, number, number];
  /** Fractional coordinate where the first cell begins, per axis. */
  readonly lower: readonly [number, number, number];
  /** Cells per unit of fractional coordinate, per axis: cell = floor((s − lower) · scale). */
  readonly scale: readonly [number, number, number];
  /** Edge vectors of one cell, nine numbers by rows. */
  readonly edges: readonly number[];
  /** Perpendicular widths of one cell. */
  readonly heights: readonly [number, number, number];
  /** Boxes that images of the particles are away at most, per axis. */
  readonly images: readonly [number, number, number];
  /** Point that single-precision coordinates are measured from: the middle of the region. */
  readonly reference: readonly [number, number, number];
  /** Bound on the rounding error of a distance between two particles in single precision. */
  readonly rounding: number;
}

type Triple = [number, number, number];

/**
 * Chooses cells about half the list radius high: the stencil then hugs the sphere, and a row of cells is a
 * contiguous run of particles. Never more cells than half the particles, so that a sparse or far-flung system
 * does not drown in empty ones.
 */
export function cellGeometry(
  domain: Domain,
  extent: Extent,
  count: number,
  radius: number,
): CellGeometry {
  const length = [0, 1, 2].map((k) => Math.max(0, extent.upper[k]! - extent.lower[k]!));
  const heights = [0, 1, 2].map((k) => domain.heights[k]! * length[k]!);
  const dims = chooseDims(heights, Math.max(1, count / 2), radius / 2);
  const edges = domain.matrix.map((value, k) => {
    const axis = Math.floor(k / 3);
    return (value * length[axis]!) / dims[axis]!;
  });
  const middle = [0, 1, 2].map((k) => extent.lower[k]! + length[k]! / 2) as Triple;
  const images = domain.imageReach(radius);
  // Largest coordinate in single precision: half the region plus the largest image shift along periodic axes.
  let reach = 0;
  for (let axis = 0; axis < 3; axis++) {
    const size = length[axis]! / 2 + images[axis]!;
    for (let k = 0; k < 3; k++) reach += size * Math.abs(domain.matrix[3 * axis + k]!);
  }
  return {
    dims,
    lower: [...extent.lower],
    scale: [0, 1, 2].map((k) => (length[k]! > 0 ? dims[k]! / length[k]! : 0)) as Triple,
    edges,
    heights: [0, 1, 2].map((k) => heights[k]! / dims[k]!) as Triple,
    images,
    reference: domain.toCartesian(...middle),
    // Three roundings of 2⁻²⁴ per coordinate and particle, three coordinates; the factor 16 leaves room to spare.
    rounding: 2 ** -20 * (reach + radius),
  };
}

function chooseDims(heights: readonly number[], limit: number, target: number): Triple {
  let edge = target;
  for (;;) {
    // Particles beyond all numbers share one cell.
    const dims = heights.map((height) =>
      height < Infinity ? Math.max(1, Math.min(Math.floor(limit), Math.floor(height / edge))) : 1,
    );
    const product = dims[0]! * dims[1]! * dims[2]!;
    if (product <= limit) return dims as Triple;
    edge *= Math.max(1.02, (product / limit) ** (1 / 3));
  }
}
