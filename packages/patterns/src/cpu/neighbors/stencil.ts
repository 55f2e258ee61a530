import { type Domain, imageIndex } from '@corpuscle/core';
import type { CellGeometry } from './cellGeometry.js';

/** Cells (x0 … x1, y, z) relative to a central cell that may hold particles in reach. */
export interface StencilRow {
  readonly y: number;
  readonly z: number;
  readonly x0: number;
  readonly x1: number;
}

/** A periodic image of the central cell: the cells it lies at, and the shift of its particles. */
export interface StencilImage {
  readonly index: number;
  readonly cells: readonly [number, number, number];
  readonly shift: readonly [number, number, number];
}

/**
 * The rows of cells within `radius` of a central cell, for any skewed cell shape. Offsets whose cells cannot
 * touch the sphere are left out by a certified lower bound on their distance, so none that can is ever lost.
 */
export function stencilRows(geometry: CellGeometry, radius: number): StencilRow[] {
  const rows: StencilRow[] = [];
  const reach = [0, 1, 2].map((k) => {
    const height = geometry.heights[k]!;
    const cells = height > 0 ? Math.floor(radius / height) + 1 : 1;
    return Math.min(cells, geometry.dims[k]! * Math.max(1, geometry.images[k]!));
  });
  for (let z = -reach[2]!; z <= reach[2]!; z++) {
    for (let y = -reach[1]!; y <= reach[1]!; y++) {
      let x0 = Infinity;
      let x1 = -Infinity;
      for (let x = -reach[0]!; x <= reach[0]!; x++) {
        if (distanceBound(geometry.edges, x, y, z) > radius * (1 + 1e-9)) continue;
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
      }
      if (x0 <= x1) rows.push({ y, z, x0, x1 });
    }
  }
  return rows;
}

/**
 * Images of the central particles to search with, a fastest. A half list takes of a pair the side from which the other particle
 * lies in a slab above, where the image has moved the central one, or in the same slab: along b as far as boxes tell, then after
 * it in the order of lines and rows. What is above along c when the image is moved up is none, so that all images with kc > 0 are
 * left out.
 */
export function stencilImages(domain: Domain, { dims, images }: CellGeometry): StencilImage[] {
  const found: StencilImage[] = [];
  const [ra, rb, rc] = images;
  for (let kc = -rc; kc <= rc; kc++)
    for (let kb = -rb; kb <= rb; kb++)
      for (let ka = -ra; ka <= ra; ka++) {
        const index = imageIndex(ka, kb, kc);
        const cells = [ka * dims[0], kb * dims[1], kc * dims[2]] as const;
        found.push({ index, cells, shift: domain.image(index) });
      }
  return found;
}

// Differences between points of two cells fill the parallelepiped offset ± 1 in units of the edges. A few sweeps of
// coordinate descent come near its closest point p; then min over the parallelepiped of x · p / |p| bounds the
// distance from below, whatever p is.
function distanceBound(edges: readonly number[], ox: number, oy: number, oz: number): number {
  const offset = [ox, oy, oz];
  const t = [ox, oy, oz].map((o) => o - Math.sign(o));
  const point = (): [number, number, number] => [
    t[0]! * edges[0]! + t[1]! * edges[3]! + t[2]! * edges[6]!,
    t[0]! * edges[1]! + t[1]! * edges[4]! + t[2]! * edges[7]!,
    t[0]! * edges[2]! + t[1]! * edges[5]! + t[2]! * edges[8]!,
  ];
  for (let sweep = 0, moved = true; moved && sweep < 24; sweep++) {
    moved = false;
    for (let k = 0; k < 3; k++) {
      const p = point();
      const [ex, ey, ez] = [edges[3 * k]!, edges[3 * k + 1]!, edges[3 * k + 2]!];
      const square = ex * ex + ey * ey + ez * ez;
      if (square === 0) continue;
      const step = t[k]! - (p[0] * ex + p[1] * ey + p[2] * ez) / square;
      const next = Math.min(offset[k]! + 1, Math.max(offset[k]! - 1, step));
      moved ||= next !== t[k];
      t[k] = next;
    }
  }
  const p = point();
  const norm = Math.hypot(...p);
  if (norm === 0) return 0;
  let bound = 0;
  for (let k = 0; k < 3; k++) {
    const along =
      (edges[3 * k]! * p[0] + edges[3 * k + 1]! * p[1] + edges[3 * k + 2]! * p[2]) / norm;
    bound += Math.min((offset[k]! - 1) * along, (offset[k]! + 1) * along);
  }
  return Math.max(0, bound);
}
