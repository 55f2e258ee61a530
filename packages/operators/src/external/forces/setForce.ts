import type { Grid } from '@corpuscle/core';
import {
  cellFunctor,
  completed,
  type ExecutionContext,
  type ParticleAdaptations,
  prepareCellParticles,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { makeCalls, type PreparedForce } from '../../forces/PreparedForce.js';

/** Replaces the components that count. */
export const setForce = cellFunctor(
  {
    name: 'set_force',
    fields: { fx: 'real', fy: 'real', fz: 'real' },
    params: { x: 'real', y: 'real', z: 'real', onX: 'real', onY: 'real', onZ: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    if (p.onX > 0) i.fx = p.x;
    if (p.onY > 0) i.fy = p.y;
    if (p.onZ > 0) i.fz = p.z;
  },
);

/** No force, no velocity. */
export const freezeParticles = cellFunctor(
  {
    name: 'freeze',
    fields: { fx: 'real', fy: 'real', fz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    traits: { gpu: true },
  },
  (i) => {
    i.fx = 0;
    i.fy = 0;
    i.fz = 0;
    i.vx = 0;
    i.vy = 0;
    i.vz = 0;
  },
);

type Components = readonly [number | null, number | null, number | null];

/** Gives forces other values, once those of the terms before it are there. Null leaves a component as it is. */
export function setForceTerm([x, y, z]: Components, options: ParticleAdaptations = {}): ForceTerm {
  const on = (value: number | null) => (value === null ? 0 : 1);
  const params = { x: x ?? 0, y: y ?? 0, z: z ?? 0, onX: on(x), onY: on(y), onZ: on(z) };
  return replacing('set_force', (grid, ctx) =>
    prepareCellParticles(grid, setForce, ctx, { params, ...options }),
  );
}

/** Takes force and velocity from particles, once the forces of the terms before it are there. */
export const freezeTerm = (options: ParticleAdaptations = {}): ForceTerm =>
  replacing('freeze', (grid, ctx) => prepareCellParticles(grid, freezeParticles, ctx, options));

function replacing(
  name: string,
  call: (grid: Grid, ctx: ExecutionContext) => PreparedForce['calls'][number],
): ForceTerm {
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    const calls = request.forces ? [call(grid, ctx)] : [];
    return {
      calls,
      totals: [],
      isCurrent: () => true,
      close() {
        for (const made of calls) made.close();
      },
    };
  };
  return {
    name,
    rcut: 0,
    sharesVirial: 'none',
    prepare,
    compute(grid, ctx, request) {
      makeCalls(prepare(grid, ctx, request));
      return completed({});
    },
    totals: () => ({ energy: 0, virial: [0, 0, 0, 0, 0, 0] }),
  };
}
