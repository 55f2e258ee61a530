import type { Domain } from '@corpuscle/core';

/** Cells that tile the box, or the extent of the particles along open axes. */
export interface Cells {
  readonly domain: Domain;
  readonly dims: readonly [number, number, number];
  /** Widths of a cell, perpendicular to its faces. */
  readonly widths: readonly [number, number, number];
}

/** Which cells meet which, and at which image. */
export interface Partners {
  /** The partners of cell c are those from `first[c]` on. */
  readonly first: Uint32Array;
  readonly partner: Uint32Array;
  /** Where a partner is seen: which of the shifts. */
  readonly image: Uint32Array;
  /** x y z of every image; the first is 0. */
  readonly shift: readonly number[];
}

/** Cells of about `perCell` particles. @param extent of the particles in lattice coordinates, 1 along periodic axes */
export function cellsOf(
  domain: Domain,
  extent: readonly [number, number, number],
  count: number,
  perCell: number,
): Cells {
  const spread = [0, 1, 2].map((k) => domain.heights[k]! * Math.max(extent[k]!, 1e-9));
  const volume = spread[0]! * spread[1]! * spread[2]!;
  const width = Math.cbrt((volume * perCell) / Math.max(1, count));
  const along = (k: number): number => Math.max(1, Math.min(512, Math.round(spread[k]! / width)));
  const dims = [along(0), along(1), along(2)] as const;
  const widthOf = (k: 0 | 1 | 2): number => spread[k]! / dims[k];
  return { domain, dims, widths: [widthOf(0), widthOf(1), widthOf(2)] };
}

/** For every cell itself and those cells, at any image, that hold a particle within `reach` of one of its own; each two once. */
export function partnersOf(cells: Cells, reach: number): Partners {
  const { domain, dims } = cells;
  const offsets = offsetsOf(cells, reach);
  const [nx, ny, nz] = dims;
  const first = new Uint32Array(nx * ny * nz + 1);
  const [partner, image]: [number[], number[]] = [[], []];
  const images = new Map([['0 0 0', 0]]);
  const shift = [0, 0, 0];
  const imageOf = (turns: readonly [number, number, number]): number => {
    const key = turns.join(' ');
    let found = images.get(key);
    if (found === undefined) {
      found = images.size;
      images.set(key, found);
      const m = domain.matrix;
      for (let k = 0; k < 3; k++)
        shift.push(turns[0] * m[k]! + turns[1] * m[3 + k]! + turns[2] * m[6 + k]!);
    }
    return found;
  };
  for (let cell = 0; cell < nx * ny * nz; cell++) {
    const place = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    for (const offset of offsets) {
      const to = place.map((at, k) => at + offset[k]!);
      const turns = to.map((at, k) => Math.floor(at / dims[k]!)) as [number, number, number];
      if (turns.some((turn, k) => turn !== 0 && !domain.periodic[k])) continue;
      const [u, v, w] = to.map((at, k) => at - turns[k]! * dims[k]!) as [number, number, number];
      partner.push((w * ny + v) * nx + u);
      image.push(turns.every((turn) => turn === 0) ? 0 : imageOf(turns));
    }
    first[cell + 1] = partner.length;
  }
  return { first, partner: Uint32Array.from(partner), image: Uint32Array.from(image), shift };
}

/** Steps from a cell to those within reach: of opposite ones only one, since pairs count once. */
function offsetsOf({ domain, widths }: Cells, reach: number): number[][] {
  const steps = widths.map((width) => {
    const near = Math.floor(reach / width) + 1;
    return Array.from({ length: 2 * near + 1 }, (_, m) => m - near);
  });
  const isNear = (offset: readonly number[]): boolean => {
    const gaps = offset.map((step, k) => Math.max(0, Math.abs(step) - 1) * widths[k]!);
    // In skewed boxes the gap along any normal is a lower bound.
    return (domain.isOrthorhombic ? Math.hypot(...gaps) : Math.max(...gaps)) <= reach;
  };
  const isFirst = ([x, y, z]: readonly number[]): boolean =>
    z! > 0 || (z === 0 && (y! > 0 || (y === 0 && x! >= 0)));
  return steps[2]!
    .flatMap((z) => steps[1]!.flatMap((y) => steps[0]!.map((x) => [x, y, z])))
    .filter((offset) => isFirst(offset) && isNear(offset));
}
