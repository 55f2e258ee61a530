import type { Grid } from '@corpuscle/core';
import { computeCellParticlePairs, type ExecutionContext } from '@corpuscle/patterns';
import { coordination, lennardJones, morse, twoTypes, yukawa } from './pairFunctors.js';

/** A functor with parameters; names are those of the C++ program. */
export interface FunctorCase {
  readonly name: string;
  readonly run: (grid: Grid, ctx: ExecutionContext, rcut: number) => void;
  /** The fields it adds to. */
  readonly fields: readonly string[];
}

const force = ['fx', 'fy', 'fz'];

/** The five functors; the parameters stand in bench/cpp/functors.cpp, too. */
export const functorCases: readonly FunctorCase[] = [
  {
    name: 'Lennard-Jones',
    fields: force,
    run: (grid, ctx, rcut) =>
      computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut,
        params: { epsilon: 1, sigma2: 1 },
      }),
  },
  {
    name: 'Morse',
    fields: force,
    run: (grid, ctx, rcut) =>
      computeCellParticlePairs(grid, morse, ctx, {
        rcut,
        params: { depth: 1, alpha: 5, r0: 1.12 },
      }),
  },
  {
    name: 'Yukawa',
    fields: force,
    run: (grid, ctx, rcut) =>
      computeCellParticlePairs(grid, yukawa, ctx, { rcut, params: { strength: 10, kappa: 1.5 } }),
  },
  {
    name: 'coordination 6/12',
    fields: ['coordination'],
    run: (grid, ctx, rcut) =>
      computeCellParticlePairs(grid, coordination, ctx, { rcut, params: { r02: 1.44 } }),
  },
  {
    name: 'two-type table',
    fields: force,
    run: (grid, ctx, rcut) =>
      computeCellParticlePairs(grid, twoTypes, ctx, {
        rcut,
        params: { epsilon: [1, 0.8, 0.8, 0.5], sigma2: [1, 0.95, 0.95, 0.9] },
      }),
  },
];
