import { Domain } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../../src/pattern/blockParallelFor.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { createArray } from '../../../src/plan/createArray.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import {
  buffered,
  gather,
  histogram,
  local,
  looked,
  scatter,
  shared,
} from '../../shared/strayFunctors.js';
import { describeGpu } from '../../support/gpu.js';
import { uncheckedDevice, writtenBehind } from '../../support/uncheckedDevice.js';

/** Distances just beyond an array, far beyond it, and such that bytes wrap around. */
const FAR = [64, 100, 2 ** 20, 2 ** 28, 2 ** 29, 2 ** 30, 2 ** 31, 2 ** 32 - 1024];

describeGpu('without the bounds checks of the driver', () => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = await uncheckedDevice();
  });
  afterAll(() => device.destroy());

  it('a shader that is not ours writes beyond its binding', async () => {
    expect(await writtenBehind(device)).toBe(7);
  });

  describe.each(['f32', 'f64'] as const)('functors in %s', (precision) => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await createExecutionContext({ backend: 'webgpu', precision, device });
    });
    afterAll(() => ctx.close());

    const array = (type: 'real' | 'i32', value: number) => {
      const made = createArray(ctx, type, 64);
      made.values.fill(value);
      return made;
    };
    const particles = () => {
      const next = sequence(3);
      const places = Array.from({ length: 77 }, () => [next(), next(), next()] as const);
      return gridOf(ctx.heap, Domain.orthorhombic([1, 1, 1]), places);
    };

    it.each(FAR)('write nothing %i elements beyond an array', async (far) => {
      const arrays = { reals: array('real', 1), ints: array('i32', 1), adds: array('real', 1) };
      const handle = blockParallelFor(8, scatter, ctx, { arrays, params: { far } });
      await expect(handle.wait()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
      for (const one of Object.values(arrays)) {
        await newestOnHost(one, ctx);
        expect([...one.values]).toEqual(Array(64).fill(1));
      }
    });

    it.each(FAR)('read the last element %i beyond an array or table', async (far) => {
      const arrays = { to: array('real', 0), from: array('real', 1) };
      arrays.from.values[63] = 3;
      await blockParallelFor(8, gather, ctx, { arrays, params: { far, table: [1, 2, 4] } });
      await newestOnHost(arrays.to, ctx);
      expect([...arrays.to.values.subarray(0, 9)]).toEqual([...Array(8).fill(7), 0]);
      const grid = particles();
      computeCellParticles(grid, local, ctx, { params: { far, table: [1, 2, 4] } });
      await newestOnHost(grid, ctx);
      expect([...grid.values('vx')]).toEqual(Array(77).fill(1 + 5 + 4));
      grid.free();
    });

    it.each(FAR)('leave alone what lies %i beyond shared memory and results', async (far) => {
      const to = array('real', 0);
      const handle = blockParallelFor(8, shared, ctx, { arrays: { to }, params: { far } });
      await expect(handle.wait()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
      await newestOnHost(to, ctx);
      expect([...to.values]).toEqual(Array(64).fill(0));
      const grid = particles();
      grid.setValues('vx', Array(77).fill(1));
      const sums = await reduceCellParticles(grid, histogram, {}, ctx, { params: { far } });
      expect(sums).toEqual({ bins: new Float64Array(4), count: 77 });
      grid.free();
    });

    it.each(FAR)('leave alone what lies %i beyond a buffer of neighbors', async (far) => {
      const grid = particles();
      await updateNeighbors(grid, ctx, { rcut: 0.3, skin: 0 });
      const table = [1, 2, 4];
      computeCellParticlePairs(grid, looked, ctx, { rcut: 0.3, params: { far, table } });
      computeCellParticlePairs(grid, buffered, ctx, { rcut: 0.3, params: { far } });
      await newestOnHost(grid, ctx);
      const pairs = grid.values('fx').map((f) => f / 4);
      expect([...grid.values('ep')]).toEqual([...pairs]);
      expect(Math.max(...grid.values('fy').map(Math.abs))).toBe(0);
      grid.free();
    });
  });
});
