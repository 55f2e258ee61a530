import type { Grid } from '@corpuscle/core';
import {
  cellFunctor,
  type ExecutionContext,
  type ParticleAdaptations,
  prepareCellParticles,
  prepareReduction,
  reduceFunctor,
} from '@corpuscle/patterns';
import type { Removal } from './Removal.js';

const total = reduceFunctor(
  {
    name: 'total_momentum',
    result: { px: 'sum', py: 'sum', pz: 'sum', m: 'sum' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
  },
  (acc, i) => {
    acc.px += i.mass * i.vx;
    acc.py += i.mass * i.vy;
    acc.pz += i.mass * i.vz;
    acc.m += i.mass;
  },
);

const subtract = cellFunctor(
  {
    name: 'remove_momentum',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { px: 'real', py: 'real', pz: 'real', m: 'real' },
  },
  (i, p) => {
    if (p.m > 0) {
      i.vx -= p.px / p.m;
      i.vy -= p.py / p.m;
      i.vz -= p.pz / p.m;
    }
  },
);

/** Calls that take the velocity of the center of mass away from particles. */
export function removeLinear(
  grid: Grid,
  ctx: ExecutionContext,
  selection: ParticleAdaptations = {},
): Removal {
  const sums = ctx.value({ px: 0, py: 0, pz: 0, m: 0 });
  const params = {
    px: sums.of('px'),
    py: sums.of('py'),
    pz: sums.of('pz'),
    m: sums.of('m'),
  };
  const calls = [
    prepareReduction(grid, total, {}, ctx, { into: sums, ...selection }),
    prepareCellParticles(grid, subtract, ctx, { params, ...selection }),
  ];
  return {
    calls,
    close() {
      for (const call of calls) call.close();
      sums.close();
    },
  };
}
