import type { Domain, Grid } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
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
    traits: { gpu: true },
  },
  (i, p, h) => {
    let x = i.rx - p.ox;
    let y = i.ry - p.oy;
    let z = i.rz - p.oz;
    let a = -Math.floor(x * p.inverse[0]! + y * p.inverse[3]! + z * p.inverse[6]!);
    let b = -Math.floor(x * p.inverse[1]! + y * p.inverse[4]! + z * p.inverse[7]!);
    let c = -Math.floor(x * p.inverse[2]! + y * p.inverse[5]! + z * p.inverse[8]!);
    const fromX = i.rx;
    const fromY = i.ry;
    const fromZ = i.rz;
    i.rx += a * p.matrix[0]! + b * p.matrix[3]! + c * p.matrix[6]!;
    i.ry += a * p.matrix[1]! + b * p.matrix[4]! + c * p.matrix[7]!;
    i.rz += a * p.matrix[2]! + b * p.matrix[5]! + c * p.matrix[8]!;
    i.ix -= h.i32(a);
    i.iy -= h.i32(b);
    i.iz -= h.i32(c);
    if (i.crossing_known > 0.5) {
      x = fromX - i.crossing_x;
      y = fromY - i.crossing_y;
      z = fromZ - i.crossing_z;
      a += Math.floor(x * p.inverse[0]! + y * p.inverse[3]! + z * p.inverse[6]! + 0.5);
      b += Math.floor(x * p.inverse[1]! + y * p.inverse[4]! + z * p.inverse[7]! + 0.5);
      c += Math.floor(x * p.inverse[2]! + y * p.inverse[5]! + z * p.inverse[8]! + 0.5);
    }
    i.vx += a * p.rate[0]! + b * p.rate[3]! + c * p.rate[6]!;
    i.vy += a * p.rate[1]! + b * p.rate[4]! + c * p.rate[7]!;
    i.vz += a * p.rate[2]! + b * p.rate[5]! + c * p.rate[8]!;
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
