import type { SimulationState } from '@corpuscle/core';
import { cellFunctor, computeCellParticles } from '@corpuscle/patterns';
import { boxParams, boxParamsOf, originParams } from '../box/presentBox.js';
import { nearestImage } from '../external/nearestImage.js';
import { gatherParticles } from '../run/gatherParticles.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { countImages } from './countImages.js';

/** r ← r − n · H, counted in the image flags. */
const bringIn = cellFunctor(
  {
    name: 'bring_in',
    fields: { rx: 'real', ry: 'real', rz: 'real', ix: 'i32', iy: 'i32', iz: 'i32' },
    params: { ...originParams, ...boxParams },
    helpers: nearestImage,
    traits: { gpu: true },
  },
  (i, p, h) => {
    const x = i.rx - p.ox;
    const y = i.ry - p.oy;
    const z = i.rz - p.oz;
    const a = h.below(x, y, z, p.ixx, p.iyx, p.izx);
    const b = h.below(x, y, z, p.ixy, p.iyy, p.izy);
    const c = h.below(x, y, z, p.ixz, p.iyz, p.izz);
    i.rx = h.without(i.rx, a, b, c, p.mxx, p.myx, p.mzx);
    i.ry = h.without(i.ry, a, b, c, p.mxy, p.myy, p.mzy);
    i.rz = h.without(i.rz, a, b, c, p.mxz, p.myz, p.mzz);
    i.ix += h.i32(a);
    i.iy += h.i32(b);
    i.iz += h.i32(c);
  },
);

/** Brings particles back into the box, as lists do whenever they are built: before operators that look at places without lists. */
export function bringBack(state: SimulationState): void {
  gatherParticles(state);
  const [grid, ctx] = [state.get(gridKey), contextOf(state)];
  const { origin } = grid.domain;
  countImages(grid, ctx);
  computeCellParticles(grid, bringIn, ctx, {
    params: { ox: origin[0], oy: origin[1], oz: origin[2], ...boxParamsOf(grid.domain) },
  });
}
