import type { Domain, Grid } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
import { nearestImage } from '../external/nearestImage.js';
import { countImages } from '../images/countImages.js';

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
    params: {
      ox: 'real',
      oy: 'real',
      oz: 'real',
      matrix: 'real[]',
      inverse: 'real[]',
      rate: 'real[]',
    },
    helpers: nearestImage,
    traits: { gpu: true },
  },
  (i, p, h) => {
    let x = i.rx - p.ox;
    let y = i.ry - p.oy;
    let z = i.rz - p.oz;
    let a = h.below(x, y, z, p.inverse[0]!, p.inverse[3]!, p.inverse[6]!);
    let b = h.below(x, y, z, p.inverse[1]!, p.inverse[4]!, p.inverse[7]!);
    let c = h.below(x, y, z, p.inverse[2]!, p.inverse[5]!, p.inverse[8]!);
    const fromX = i.rx;
    const fromY = i.ry;
    const fromZ = i.rz;
    i.rx = h.without(i.rx, a, b, c, p.matrix[0]!, p.matrix[3]!, p.matrix[6]!);
    i.ry = h.without(i.ry, a, b, c, p.matrix[1]!, p.matrix[4]!, p.matrix[7]!);
    i.rz = h.without(i.rz, a, b, c, p.matrix[2]!, p.matrix[5]!, p.matrix[8]!);
    i.ix += h.i32(a);
    i.iy += h.i32(b);
    i.iz += h.i32(c);
    if (i.crossing_known > 0.5) {
      x = fromX - i.crossing_x;
      y = fromY - i.crossing_y;
      z = fromZ - i.crossing_z;
      a -= h.turns(x, y, z, p.inverse[0]!, p.inverse[3]!, p.inverse[6]!);
      b -= h.turns(x, y, z, p.inverse[1]!, p.inverse[4]!, p.inverse[7]!);
      c -= h.turns(x, y, z, p.inverse[2]!, p.inverse[5]!, p.inverse[8]!);
    }
    i.vx = h.without(i.vx, a, b, c, p.rate[0]!, p.rate[3]!, p.rate[6]!);
    i.vy = h.without(i.vy, a, b, c, p.rate[1]!, p.rate[4]!, p.rate[7]!);
    i.vz = h.without(i.vz, a, b, c, p.rate[2]!, p.rate[5]!, p.rate[8]!);
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

/** Parameters of `crossFaces`; `rate` is how fast the rows of the box matrix change. */
export const crossingOf = (
  { origin, matrix, inverse, periodic }: Domain,
  rate: readonly number[],
) => ({
  ox: origin[0],
  oy: origin[1],
  oz: origin[2],
  matrix,
  inverse: inverse.map((x, at) => (periodic[at % 3] ? x : 0)),
  rate,
});
