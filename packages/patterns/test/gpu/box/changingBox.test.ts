import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { kickX, soft } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const EDGE = 7;
const DT = 0.02;
/** The step in which particles become so fast that lists prove to have been used too long. */
const ACCELERATED = 33;

const drift = cellFunctor(
  {
    name: 'drift',
    fields: { rx: 'real', ry: 'real', rz: 'real', fx: 'real', ep: 'real' },
    read: { vx: 'real', vy: 'real', vz: 'real' },
    params: { dt: 'real' },
  },
  (i, p) => {
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
    i.fx = 0;
    i.ep = 0;
  },
);

const scale = cellFunctor(
  { name: 'scale', fields: { rx: 'real', ry: 'real', rz: 'real' }, params: { by: 'real' } },
  (i, p) => {
    i.rx *= p.by;
    i.ry *= p.by;
    i.rz *= p.by;
  },
);

const accelerate = cellFunctor(
  { name: 'accelerate', fields: { vx: 'real', vy: 'real', vz: 'real' } },
  (i) => {
    i.vx *= 3;
    i.vy *= 3;
    i.vz *= 3;
  },
);

const cube = (edge: number) => Domain.orthorhombic([edge, edge, edge]);

function start(ctx: ExecutionContext): Grid {
  const next = sequence(21);
  const places = Array.from(
    { length: 150 },
    () => [EDGE * next(), EDGE * next(), EDGE * next()] as const,
  );
  const grid = gridOf(ctx.heap, cube(EDGE), places);
  for (const name of ['vx', 'vy', 'vz'])
    grid.setValues(
      name,
      places.map(() => next() - 0.5),
    );
  return grid;
}

/** Steps in a box that shrinks every few of them, with its particles; nothing is awaited before the end. */
async function shrinking(ctx: ExecutionContext, every: number) {
  const grid = start(ctx);
  const totals = [];
  let edge = EDGE;
  await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
  for (let step = 1; step <= 45; step++) {
    computeCellParticles(grid, drift, ctx, { params: { dt: DT } });
    if (step % every === 0) {
      computeCellParticles(grid, scale, ctx, { params: { by: 0.99 } });
      edge *= 0.99;
      grid.domain = cube(edge);
    }
    updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true });
    if (step === ACCELERATED) computeCellParticles(grid, accelerate, ctx, {});
    const outputs = { fx: 'particles', ep: 'total' } as const;
    totals.push(
      computeCellParticlePairs(grid, soft, ctx, { rcut: 1.5, params: { rcut2: 2.25 }, outputs }),
    );
    computeCellParticles(grid, kickX, ctx, { params: { dt: DT / 10 } });
  }
  const energies = await Promise.all(totals.map(async (handle) => (await handle).ep));
  await newestOnHost(grid, ctx);
  const vx = grid.values('vx');
  const velocities = Array.from(grid.rowsById(), (row) => vx[row]!);
  grid.free();
  return { energies, velocities };
}

describeGpu('a box that changes while the engine runs ahead', () => {
  let ctx: ExecutionContext;
  let cpu: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
    cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(async () => {
    await ctx.close();
    await cpu.close();
  });

  it.each(runs([1, 20], [5]))(
    'every %i steps: each call sees the box of when it was made',
    async (every) => {
      const before = engineOf(ctx).speculation.repeats;
      const ours = await shrinking(ctx, every);
      const exact = await shrinking(cpu, every);
      ours.energies.forEach((energy, k) => {
        expect(Math.abs(energy / exact.energies[k]! - 1), `step ${k + 1}`).toBeLessThan(1e-5);
      });
      ours.velocities.forEach((v, id) => {
        expect(Math.abs(v - exact.velocities[id]!)).toBeLessThan(1e-4);
      });
      if (every === 20) expect(engineOf(ctx).speculation.repeats).toBeGreaterThan(before); // steps made again, too
    },
  );
});
