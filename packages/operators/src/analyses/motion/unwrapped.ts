import type { Domain } from '@corpuscle/core';
import type { KeptVector } from './Origins.js';

const matrix = {
  ax: 'real',
  ay: 'real',
  az: 'real',
  bx: 'real',
  by: 'real',
  bz: 'real',
  cx: 'real',
  cy: 'real',
  cz: 'real',
} as const;

/** Positions in unwrapped space, for `Origins`; parameters are the rows of the box matrix. */
export const unwrapped: KeptVector = {
  read: { rx: 'real', ry: 'real', rz: 'real', ix: 'i32', iy: 'i32', iz: 'i32' },
  params: matrix,
  text: `const x = i.rx + i.ix * p.ax + i.iy * p.bx + i.iz * p.cx;
const y = i.ry + i.ix * p.ay + i.iy * p.by + i.iz * p.cy;
const z = i.rz + i.ix * p.az + i.iy * p.bz + i.iz * p.cz;`,
  at: (i, p) =>
    (['x', 'y', 'z'] as const).map(
      (axis) =>
        i[`r${axis}`]! + i.ix! * p[`a${axis}`]! + i.iy! * p[`b${axis}`]! + i.iz! * p[`c${axis}`]!,
    ),
  dimension: { length: 1 },
  productText: (now, then) => `(${now} - ${then}) * (${now} - ${then})`,
  product: (now, then) => (now - then) ** 2,
};

/** The box, row by row. */
export const boxOf = ({ matrix: m }: Domain) =>
  Object.fromEntries(Object.keys(matrix).map((name, k) => [name, m[k]!])) as {
    readonly [K in keyof typeof matrix]: number;
  };
