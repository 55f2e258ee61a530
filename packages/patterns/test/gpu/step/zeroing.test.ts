import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const names = ['fx', 'fy', 'fz', 'ep'] as const;
const real = { fx: 'real', fy: 'real', fz: 'real', ep: 'real' } as const;

const clear = cellFunctor({ name: 'clear', fields: real }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});

const clearSome = cellFunctor({ name: 'clear_some', fields: { fx: 'real', fy: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
});

const repel = pairFunctor(
  { name: 'repel', central: { fx: 'real', fy: 'real', ep: 'real' } },
  (i, _j, d) => {
    const u = 2.25 - d.r2;
    if (u > 0) {
      i.fx += u * d.x;
      i.fy += u * d.y;
      i.ep += u * u;
    }
  },
);

const lookAround = pairFunctor(
  { name: 'look_around', central: { fx: 'real' }, neighbor: { ep: 'real' } },
  (i, j, d) => {
    if (d.r2 < 2.25) i.fx += 1 + j.ep;
  },
);

describeGpu('zeroing of what a pair functor then adds to', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  async function start(): Promise<Grid> {
    const next = sequence(5);
    const places = Array.from({ length: 200 }, () => [7 * next(), 7 * next(), 7 * next()] as const);
    const grid = gridOf(ctx.heap, Domain.orthorhombic([7, 7, 7]), places);
    for (const name of names)
      grid.setValues(
        name,
        places.map(() => 100 + next()),
      );
    await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.2 });
    return grid;
  }

  /** Values by particle after a step that has been made often enough to be fused, and the kernels that the last one needed. */
  async function after(
    calls: (grid: Grid) => PreparedCall<object, unknown>[],
    mode: 'fused' | 'one by one' = 'fused',
  ): Promise<{ values: number[][]; kernels: number }> {
    const grid = await start();
    const { counters } = engineOf(ctx).gpu;
    const prepared = calls(grid);
    const step = prepareStep(ctx, prepared);
    const run = () => {
      if (mode === 'fused') return step.run();
      for (const call of prepared) call.run();
    };
    for (let k = 0; k < 5; k++) await run();
    const before = counters.dispatches;
    await run();
    await engineOf(ctx).finished();
    const kernels = counters.dispatches - before;
    await newestOnHost(grid, ctx);
    const rows = [...grid.rowsById()];
    const values = names.map((name) => rows.map((row) => grid.values(name)[row]!));
    grid.free();
    return { values, kernels };
  }

  const pairs = (grid: Grid, outputs = {}) =>
    prepareCellParticlePairs(grid, repel, ctx, { rcut: 1.5, outputs });
  const zero = (grid: Grid) => prepareCellParticles(grid, clear, ctx);

  it('needs no kernel of its own', async () => {
    const calls = (grid: Grid) => [zero(grid), pairs(grid)];
    const once = await after(calls);
    expect(once.kernels).toBe(1);
    const apart = await after(calls, 'one by one');
    expect(apart.kernels).toBe(2);
    expect(once.values).toEqual(apart.values);
    expect(once.values[2]!.every((fz) => fz === 0)).toBe(true);
    expect(once.values[3]!.some((ep) => ep > 0)).toBe(true);
  });

  it('serves the first of several functors', async () => {
    const twice = await after((grid) => [zero(grid), pairs(grid), pairs(grid)]);
    const once = await after((grid) => [zero(grid), pairs(grid)]);
    twice.values[0]!.forEach((fx, k) => {
      expect(fx).toBeCloseTo(2 * once.values[0]![k]!, 4);
    });
    // What the functor gives to no particle is zero all the same.
    const forces = await after((grid) => [
      zero(grid),
      pairs(grid, { fx: 'particles', fy: 'particles', ep: 'none' }),
    ]);
    expect(forces.values.slice(0, 3)).toEqual(once.values.slice(0, 3));
    expect(forces.values[3]!.every((ep) => ep === 0)).toBe(true);
  });

  it('is done where a functor sees what is zeroed, or some of it stays', async () => {
    const seen = await after((grid) => [
      zero(grid),
      prepareCellParticlePairs(grid, lookAround, ctx, { rcut: 1.5 }),
    ]);
    expect(seen.kernels).toBe(2);
    expect(seen.values[0]!.every((fx) => Number.isInteger(fx))).toBe(true);
    const part = await after((grid) => [
      prepareCellParticles(grid, clearSome, ctx),
      pairs(grid, { fx: 'particles', fy: 'particles', ep: 'none' }),
    ]);
    expect(part.kernels).toBe(2);
    expect(part.values[2]!.every((fz) => fz >= 100)).toBe(true);
    const elsewhere = await after((grid) => [
      zero(grid),
      pairs(grid, { fx: 'total', fy: 'total', ep: 'total' }),
    ]);
    expect(elsewhere.values.flat().every((value) => value === 0)).toBe(true);
  });
});
