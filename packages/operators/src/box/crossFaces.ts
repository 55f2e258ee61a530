import type { Grid } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
import { nearestImage } from '../external/nearestImage.js';
import { countImages } from '../images/countImages.js';
import { boxParams, nine, originParams } from './presentBox.js';

/**
 * Where particles were at the last look, in the box:
 *
 *   crossing [ x y z known ]
 */
const block = {
  name: 'crossing',
  type: 'f64',
  width: 4,
  members: ['crossing_x', 'crossing_y', 'crossing_z', 'crossing_known'],
} as const;
const looked = {
  crossing_x: 'real',
  crossing_y: 'real',
  crossing_z: 'real',
  crossing_known: 'real',
} as const;
const positions = { rx: 'real', ry: 'real', rz: 'real' } as const;

const noteParticles = cellFunctor(
  { name: 'note_crossings', fields: looked, read: positions, traits: { gpu: true } },
  (i) => {
    i.crossing_x = i.rx;
    i.crossing_y = i.ry;
    i.crossing_z = i.rz;
    i.crossing_known = 1;
  },
);

/**
 * Brings particles back into the box. One that crosses a face goes on at the opposite one, with the velocity that this has relative
 * to the other: r ← r + n · H, v ← v + n · dH/dt. The lists may have brought it back before: the nearest image of its last place tells.
 */
export const crossFaces = cellFunctor(
  {
    name: 'cross_faces',
    fields: {
      ...positions,
      ...looked,
      ...{ vx: 'real', vy: 'real', vz: 'real' },
      ...{ ix: 'i32', iy: 'i32', iz: 'i32' },
    },
    params: { ...originParams, ...boxParams, ...nine('d') },
    helpers: nearestImage,
    traits: { gpu: true },
  },
  (i, p, h) => {
    let x = i.rx - p.ox;
    let y = i.ry - p.oy;
    let z = i.rz - p.oz;
    let a = h.below(x, y, z, p.ixx, p.iyx, p.izx);
    let b = h.below(x, y, z, p.ixy, p.iyy, p.izy);
    let c = h.below(x, y, z, p.ixz, p.iyz, p.izz);
    const fromX = i.rx;
    const fromY = i.ry;
    const fromZ = i.rz;
    i.rx = h.without(i.rx, a, b, c, p.mxx, p.myx, p.mzx);
    i.ry = h.without(i.ry, a, b, c, p.mxy, p.myy, p.mzy);
    i.rz = h.without(i.rz, a, b, c, p.mxz, p.myz, p.mzz);
    i.ix += h.i32(a);
    i.iy += h.i32(b);
    i.iz += h.i32(c);
    if (i.crossing_known > 0.5) {
      x = fromX - i.crossing_x;
      y = fromY - i.crossing_y;
      z = fromZ - i.crossing_z;
      a -= h.turns(x, y, z, p.ixx, p.iyx, p.izx);
      b -= h.turns(x, y, z, p.ixy, p.iyy, p.izy);
      c -= h.turns(x, y, z, p.ixz, p.iyz, p.izz);
    }
    i.vx = h.without(i.vx, a, b, c, p.dxx, p.dyx, p.dzx);
    i.vy = h.without(i.vy, a, b, c, p.dxy, p.dyy, p.dzy);
    i.vz = h.without(i.vz, a, b, c, p.dxz, p.dyz, p.dzz);
    i.crossing_x = i.rx;
    i.crossing_y = i.ry;
    i.crossing_z = i.rz;
    i.crossing_known = 1;
  },
);

/** Notes where particles are, before the first step in which they cross faces. */
export function noteCrossings(grid: Grid, ctx: ExecutionContext): void {
  countImages(grid, ctx);
  grid.addBlock(block);
  computeCellParticles(grid, noteParticles, ctx);
}
