import { Domain } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

/** Small numbers of neighbors, whole and exact in any order, and a branch with an alternative. */
const shells = pairFunctor({ name: 'shells', central: { fx: 'real', ep: 'real' } }, (i, _j, d) => {
  let weight = 1;
  if (d.r2 < 1) {
    weight = 2;
    i.fx += 1;
  } else if (d.r2 < 2.25) {
    weight = 4;
    i.fx -= 1;
  }
  i.ep += weight;
});

describeGpu('threads that share a particle', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  it('find what one finds, in boxes with and without images', { timeout: 60_000 }, async () => {
    const { pairs } = engineOf(ctx);
    const next = sequence(6);
    const places = Array.from({ length: 700 }, () => [9 * next(), 9 * next(), 9 * next()] as const);
    for (const periodic of [
      [true, true, true],
      [false, false, false],
    ] as const) {
      const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9], { periodic }), places);
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
      const results: unknown[] = [];
      for (const lanes of [1, 4, 32] as const) {
        pairs.lanes = lanes;
        grid.setValues('fx', new Float64Array(700));
        const { ep } = await computeCellParticlePairs(grid, shells, ctx, {
          rcut: 2,
          outputs: { fx: 'particles', ep: 'total' },
        });
        await newestOnHost(grid, ctx, ['fx']);
        results.push([ep, [...grid.values('fx')]]);
      }
      pairs.lanes = null;
      for (const result of results) expect(result).toEqual(results[0]);
      expect((results[0] as [number])[0]).toBeGreaterThan(10_000);
      grid.free();
    }
  });
});
