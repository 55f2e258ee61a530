import { type Domain, type Grid, imageFlags } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
import { product } from '../box/matrix.js';

/** n′ = n · M, for whole numbers M. */
const mapImages = cellFunctor(
  {
    name: 'map_images',
    fields: { ix: 'i32', iy: 'i32', iz: 'i32' },
    params: { map: 'real[]' },
    traits: { gpu: true },
  },
  (i, p, h) => {
    const a = i.ix;
    const b = i.iy;
    const c = i.iz;
    i.ix = h.i32(Math.floor(a * p.map[0]! + b * p.map[3]! + c * p.map[6]! + 0.5));
    i.iy = h.i32(Math.floor(a * p.map[1]! + b * p.map[4]! + c * p.map[7]! + 0.5));
    i.iz = h.i32(Math.floor(a * p.map[2]! + b * p.map[5]! + c * p.map[8]! + 0.5));
  },
);

const SAME = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** How far rounding takes a whole number away. */
const NEAR = 1e-9;

/**
 * Image flags in another box. Axes that are no longer periodic have none. Where particles stay, and so does the lattice, as when a box is
 * flipped, unwrapped positions stay too: n · H = n′ · H′. Otherwise a particle keeps its flags.
 */
export function changeImages(
  grid: Grid,
  ctx: ExecutionContext,
  { before, after, stay }: { before: Domain; after: Domain; stay: boolean },
): void {
  if (!grid.blocks.has(imageFlags.name)) return;
  const exact = product(before.matrix, after.inverse);
  const whole = exact.map(Math.round);
  const isFlip = stay && exact.every((x, k) => Math.abs(x - whole[k]!) < NEAR);
  const map = (isFlip ? whole : SAME).map((x, k) => (after.periodic[k % 3] ? x : 0));
  const isSame = map.every((x, k) => x === SAME[k] || !before.periodic[k % 3]);
  if (!isSame) computeCellParticles(grid, mapImages, ctx, { params: { map } });
}
