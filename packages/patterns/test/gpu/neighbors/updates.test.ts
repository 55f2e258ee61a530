import { Domain } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect } from 'vitest';
import { itOnce } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fccPositions, gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { readDeviceLists } from '../../support/deviceLists.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const moveFirst = cellFunctor(
  {
    name: 'move_first',
    fields: { rx: 'real' },
    read: { id: 'u32' },
    params: { by: 'real', chosen: 'u32' },
  },
  (i, p) => {
    if (i.id === p.chosen) i.rx += p.by;
  },
);

describeGpu('updates of neighbor lists on WebGPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  itOnce('grow when particles crowd together, and lose no neighbor', async () => {
    const next = sequence(7);
    const spread = Array.from(
      { length: 100 },
      () => [20 * next(), 20 * next(), 20 * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([20, 20, 20]), spread);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
    const before = engineOf(ctx).neighbors.lists(grid)!.capacity;
    for (const name of ['rx', 'ry', 'rz'])
      grid.setValues(
        name,
        Array.from({ length: 100 }, () => 10 + next()),
      );
    const { rebuilt } = await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
    expect(rebuilt).toBe(true);
    expect(engineOf(ctx).neighbors.lists(grid)!.capacity).toBeGreaterThan(Math.max(96, before));
    expect((await readDeviceLists(engineOf(ctx), grid)).length).toBe(100 * 99);
    grid.free();
  });

  itOnce(
    'are rebuilt when a particle has moved more than half the skin on the device, not before',
    async () => {
      const { length, positions } = fccPositions(3, 0.8442);
      const grid = gridOf(ctx.heap, Domain.orthorhombic([length, length, length]), positions);
      const lists = { rcut: 2, skin: 0.4 };
      const move = (by: number) =>
        computeCellParticles(grid, moveFirst, ctx, { params: { by, chosen: 5 } });
      expect(await updateNeighbors(grid, ctx, lists)).toMatchObject({ reason: 'first build' });
      move(0.15);
      const small = await updateNeighbors(grid, ctx, lists);
      expect(small.rebuilt).toBe(false);
      expect(small.maxDisplacement).toBeCloseTo(0.15, 6);
      move(0.1);
      const large = await updateNeighbors(grid, ctx, lists);
      expect(large).toMatchObject({ rebuilt: true, reason: expect.stringMatching(/moved 0.25/) });
      expect((await updateNeighbors(grid, ctx, lists)).maxDisplacement).toBe(0);
      expect((await updateNeighbors(grid, ctx, { ...lists, force: true })).rebuilt).toBe(true);
      grid.free();
    },
  );

  itOnce('keep calls in order when the update is not awaited', async () => {
    const { length, positions } = fccPositions(3, 0.8442);
    const grid = gridOf(ctx.heap, Domain.orthorhombic([length, length, length]), positions);
    const first = updateNeighbors(grid, ctx, { rcut: 2, skin: 0.4 });
    computeCellParticles(grid, moveFirst, ctx, { params: { by: 0.3, chosen: 0 } });
    const second = updateNeighbors(grid, ctx, { rcut: 2, skin: 0.4 });
    expect((await first).maxDisplacement).toBe(0);
    expect((await second).maxDisplacement).toBeCloseTo(0.3, 6);
    grid.free();
  });

  itOnce('sort the same way every time', async () => {
    const next = sequence(3);
    const positions = Array.from(
      { length: 700 },
      () => [9 * next(), 9 * next(), 9 * next()] as const,
    );
    const orders = new Set<string>();
    for (let run = 0; run < 4; run++) {
      const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), positions);
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
      await newestOnHost(grid, ctx, ['id']);
      orders.add(grid.values('id').join(' '));
      grid.free();
    }
    expect(orders.size).toBe(1);
  });

  itOnce('name the particle whose position is no number', async () => {
    const positions = [
      [1, 1, 1],
      [Number.NaN, 2, 2],
      [3, 3, 3],
    ] as const;
    const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), positions);
    const call = async () => updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
    await expect(call()).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringContaining('particle 1'),
    });
    grid.setValues('rx', [1, 2, 3]);
    await call();
    computeCellParticles(grid, moveFirst, ctx, { params: { by: 3.4e38, chosen: 2 } });
    computeCellParticles(grid, moveFirst, ctx, { params: { by: 3.4e38, chosen: 2 } });
    await expect(call()).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringContaining('particle 2'),
    });
    grid.free();
  });

  itOnce('refuse a cutoff beyond fifteen boxes', async () => {
    const grid = gridOf(ctx.heap, Domain.orthorhombic([4, 9, 9]), [[1, 1, 1]]);
    const call = async () => updateNeighbors(grid, ctx, { rcut: 61, skin: 0.3 });
    await expect(call()).rejects.toMatchObject({ code: 'BOX_TOO_THIN' });
    grid.free();
  });
});
