import type { Domain, Grid } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
import { changeImages } from '../images/changeImages.js';
import { linearMap, linearMapOf } from './linearMap.js';
import { product, rowTimes } from './matrix.js';

/** What happens to the particles of a box that changes: they follow it, or stay where they are. */
export type Remap = 'positions' | 'none';

/**
 * Moves positions by a small affine map, r′ = r + (r − o) · D + t. Only the difference to r is computed: what does not
 * change keeps its bits.
 */
export const remapPositions = cellFunctor(
  {
    name: 'remap_positions',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    params: {
      ox: 'real',
      oy: 'real',
      oz: 'real',
      tx: 'real',
      ty: 'real',
      tz: 'real',
      ...linearMap,
    },
    traits: { gpu: true },
  },
  (i, p) => {
    const x = i.rx - p.ox;
    const y = i.ry - p.oy;
    const z = i.rz - p.oz;
    i.rx += p.tx + (x * p.dxx + y * p.dyx + z * p.dzx);
    i.ry += p.ty + (x * p.dxy + y * p.dyy + z * p.dzy);
    i.rz += p.tz + (x * p.dxz + y * p.dyz + z * p.dzz);
  },
);

/**
 * Gives a grid another box. With `remap: 'positions'` particles keep their lattice coordinates, images included; with `'none'`
 * they keep their places, and unwrapped ones too where the lattice stays (`flipBox`). Lists and forces belong to the old box until they are updated. Nothing is awaited: calls made
 * before still see the old box.
 *
 * @example
 * setBox(grid, ctx, Domain.orthorhombic([11, 11, 11]), 'positions');
 */
export function setBox(grid: Grid, ctx: ExecutionContext, domain: Domain, remap: Remap): void {
  const before = grid.wholeDomain;
  if (remap === 'positions')
    computeCellParticles(grid, remapPositions, ctx, { params: mapOf(before, domain) });
  changeImages(grid, ctx, { before, after: domain, stay: remap === 'none' });
  grid.changeDomain(domain);
}

/** Parameters of `remapPositions` from one box to another. */
export function mapOf(before: Domain, after: Domain) {
  const [ox, oy, oz] = before.origin;
  const shift = after.origin.map((x, k) => x - before.origin[k]!);
  return {
    ox,
    oy,
    oz,
    tx: shift[0]!,
    ty: shift[1]!,
    tz: shift[2]!,
    // s is kept: r′ = o′ + (r − o) · H⁻¹ · H′
    ...linearMapOf(before, after),
  };
}

/** Where the point that has the same lattice coordinates in another box lies there. */
export const followed = (
  before: Domain,
  after: Domain,
  r: readonly number[],
): [number, number, number] => {
  const away = r.map((x, k) => x - before.origin[k]!);
  const moved = rowTimes(away, product(before.inverse, after.matrix));
  return [after.origin[0] + moved[0], after.origin[1] + moved[1], after.origin[2] + moved[2]];
};
