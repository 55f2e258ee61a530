/** Faces of a box that mirror or follow the particles: for Corpuscle and for LAMMPS. Particles are those of `externalCases`. */

import { EDGE } from './externalCases.js';

export const HEIGHT = 5.35;

export interface BoundaryCase {
  readonly name: string;
  /** Along x, y and z. */
  readonly periodic: readonly [boolean, boolean, boolean];
  /** The box: from and to, along x, y and z. */
  readonly box: readonly (readonly [number, number])[];
  /** Lines of the YAML file: in setup_system and in after_drift. */
  readonly setup?: readonly string[];
  readonly drift: readonly string[];
  readonly boundary: string;
  readonly commands: readonly string[];
}

const slab = [
  [0, EDGE],
  [0, EDGE],
  [0.9, HEIGHT],
] as const;
const wide = [
  [-1, 8],
  [-2, 9],
  [-3, 10],
] as const;
const shrink = (slots: string) => ({
  setup: [`shrink_wrap: { ${slots} }`],
  drift: [`shrink_wrap: { ${slots}, every: 10 }`],
});
const every = 'neigh_modify every 10 delay 0 check no';

export const boundaryCases: readonly BoundaryCase[] = [
  {
    name: 'two faces that mirror',
    periodic: [true, true, false],
    box: slab,
    drift: ['mirror: { faces: [zlo, zhi] }'],
    boundary: 'p p f',
    commands: [`fix w all wall/reflect zlo 0.9 zhi ${HEIGHT}`],
  },
  {
    name: 'six faces that mirror',
    periodic: [false, false, false],
    box: [
      [0, 5.3],
      [-0.1, 5.3],
      [0.95, HEIGHT],
    ],
    drift: ['mirror: { faces: [xlo, xhi, ylo, yhi, zlo, zhi] }'],
    boundary: 'f f f',
    commands: [`fix w all wall/reflect xlo 0.0 xhi 5.3 ylo -0.1 yhi 5.3 zlo 0.95 zhi ${HEIGHT}`],
  },
  {
    name: 'all faces follow',
    periodic: [false, false, false],
    box: wide,
    ...shrink('faces: [xlo, xhi, ylo, yhi, zlo, zhi]'),
    boundary: 's s s',
    commands: [every],
  },
  {
    name: 'faces follow, with a minimum',
    periodic: [true, true, false],
    box: [slab[0], slab[1], [0.9, 6]],
    ...shrink('faces: [zlo, zhi], minimum: true'),
    boundary: 'p p m',
    commands: [every],
  },
  {
    name: 'one face mirrors and one follows',
    periodic: [true, true, false],
    box: slab,
    setup: ['shrink_wrap: { faces: [zhi] }'],
    drift: ['mirror: { faces: [zlo] }', 'shrink_wrap: { faces: [zhi], every: 10 }'],
    boundary: 'p p fs',
    commands: ['fix w all wall/reflect zlo 0.9', every],
  },
];

/** Rows of step, potential and kinetic energy, pressure, lengths of the box and its lower corner; positions by id at the end. */
export interface BoundaryRun {
  readonly rows: readonly (readonly number[])[];
  readonly positions: readonly number[];
}
