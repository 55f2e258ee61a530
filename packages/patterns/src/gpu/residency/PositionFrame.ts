import type { Domain } from '@corpuscle/core';

type Triple = readonly [number, number, number];

/**
 * The coordinate system of device positions. Single precision must not lose digits when the box grows, so a position is
 * kept as the vector from the center of a cell, beside the cell's integer coordinates:
 *
 *   row  [ x | y | z | cell ]     r = center + (cx·a + cy·b + cz·c) + (x, y, z)
 *          f32  f32  f32  u32     cell = cx | cy << 10 | cz << 20
 *
 * a, b, c are the edges of a cell, `center` the center of cell (0, 0, 0). Differences of two positions are taken as
 * (x_i − x_j) + (c_i − c_j)·edges, whose error is that of a cell, not of the box. Particles may leave their cell
 * between sorts; then the relative vector is longer, nothing else.
 */
export interface PositionFrame {
  readonly domain: Domain;
  /** Cells along each lattice vector; at most 1023. */
  readonly dims: Triple;
  /** Fractional coordinate where the first cell begins, and extent of all cells; 0 and 1 along periodic axes. */
  readonly lower: Triple;
  readonly length: Triple;
  /** Edges of a cell by rows, nine numbers. */
  readonly edges: readonly number[];
  /** Inverse of `edges`: u = r · inverse, in cells. */
  readonly inverse: readonly number[];
  readonly center: Triple;
}

/** Fractional extent of the particles per axis. */
export interface Extent {
  readonly lower: Triple;
  readonly upper: Triple;
}

const MAX_CELLS_PER_AXIS = 1023;
/** Cells are this much wider than the list radius, so that rounding of a particle's cell never hides a neighbor. */
const MARGIN = 1 + 2e-4;

const triple = (of: (axis: 0 | 1 | 2) => number): Triple => [of(0), of(1), of(2)];

/**
 * Cells at least `width` high (perpendicular to their faces; one number or one for each axis), fewer where there would be
 * more than `mostCells`.
 * Open axes get a cell to spare on both sides, so that the frame outlives many sorts.
 */
export function makeFrame(
  domain: Domain,
  extent: Extent,
  width: number | readonly number[],
  mostCells: number,
): PositionFrame {
  let dims: Triple;
  let size = triple((k) => (typeof width === 'number' ? width : width[k]!) * MARGIN);
  for (;;) {
    dims = triple((k) => cellsAlong(domain, extent, k, size[k]));
    const product = dims[0] * dims[1] * dims[2];
    if (product <= mostCells && Math.max(...dims) <= MAX_CELLS_PER_AXIS) break;
    const more = Math.max(1.02, Math.min(2, (product / mostCells) ** (1 / 3)));
    const tooMany = (k: 0 | 1 | 2) => product > mostCells || dims[k] > MAX_CELLS_PER_AXIS;
    size = triple((k) => (tooMany(k) ? size[k] * more : size[k]));
  }
  const length = triple((k) => (domain.periodic[k] ? 1 : (dims[k] * size[k]) / domain.heights[k]));
  const lower = triple((k) =>
    domain.periodic[k] ? 0 : (extent.lower[k] + extent.upper[k] - length[k]) / 2,
  );
  const scale = triple((k) => length[k] / dims[k]);
  const edges = domain.matrix.map((value, k) => value * scale[Math.floor(k / 3) as 0 | 1 | 2]);
  const inverse = domain.inverse.map((value, k) => value / scale[(k % 3) as 0 | 1 | 2]);
  const half = triple((k) => lower[k] + scale[k] / 2);
  const center = domain.toCartesian(half[0], half[1], half[2]);
  return { domain, dims, lower, length, edges, inverse, center };
}

function cellsAlong(domain: Domain, extent: Extent, k: 0 | 1 | 2, size: number): number {
  if (domain.periodic[k]) return Math.max(1, Math.floor(domain.heights[k] / size));
  const spread = Math.max(0, extent.upper[k] - extent.lower[k]) * domain.heights[k];
  return Math.ceil(spread / size) + 2;
}

/** A frame for positions whose cutoff is not known yet: about four particles a cell. */
export function defaultFrame(domain: Domain, extent: Extent, count: number): PositionFrame {
  const spread = [0, 1, 2].map((k) => {
    const fraction = domain.periodic[k] ? 1 : Math.max(1e-3, extent.upper[k]! - extent.lower[k]!);
    return fraction * domain.heights[k]!;
  });
  const volume = spread[0]! * spread[1]! * spread[2]!;
  return makeFrame(domain, extent, Math.cbrt((4 * volume) / Math.max(1, count)), 64 + count);
}

/** Cells that particles are away from the ends of a frame that covers them: extents are rounded. */
const EDGE = 1e-3;

/** Whether particles along open axes are inside the frame: each is in its cell, and cells stay small. */
export function frameCovers(frame: PositionFrame, extent: Extent): boolean {
  return [0, 1, 2].every((k) => {
    const axis = k as 0 | 1 | 2;
    if (frame.domain.periodic[axis]) return true;
    const edge = (EDGE * frame.length[axis]) / frame.dims[axis];
    const upper = frame.lower[axis] + frame.length[axis] - edge;
    return extent.lower[axis] >= frame.lower[axis] + edge && extent.upper[axis] <= upper;
  });
}
