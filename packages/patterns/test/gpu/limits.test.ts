import { Domain } from '@corpuscle/core';
import { blockFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { createArray } from '../../src/plan/createArray.js';
import { addVelocity, forceNorms } from '../shared/functors.js';
import { gridOf } from '../shared/grids.js';
import { filledGrid, reduceOracle, sequence, snapshot } from '../shared/oracle.js';
import { contextWith, describeGpu, engineOf, openEngine } from '../support/gpu.js';

const fill = blockFunctor(
  { name: 'fill', arrays: { values: 'real' }, params: { columns: 'u32' } },
  (b, a, p) => {
    for (let k = b.lane; k < p.columns; k += b.size) a.values[b.index * p.columns + k] += b.index;
  },
);

const stray = blockFunctor(
  { name: 'stray', arrays: { values: 'real' }, params: { far: 'u32' } },
  (b, a, p) => {
    a.values[b.index + p.far] = 666;
  },
);

describeGpu('limits of a device', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await contextWith({ maxComputeWorkgroupsPerDimension: 3 });
  });
  afterAll(() => ctx.close());

  it('spreads more workgroups than fit one dimension over two', async () => {
    const count = 4 * 1024 + 5; // 5 workgroups reduce them, 3 × 2 are started
    const grid = filledGrid(ctx.heap, count);
    const expected = reduceOracle(forceNorms, snapshot(grid), {});
    const before = Float64Array.from(grid.values('vx'));
    computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    const sums = await reduceCellParticles(grid, forceNorms, {}, ctx);
    await newestOnHost(grid, ctx);
    grid.values('vx').forEach((vx, row) => {
      expect(vx).toBeCloseTo(before[row]! + 1, 5);
    });
    expect(sums.largest).toBeCloseTo(expected.largest!, 5);
    expect(sums.smallest).toBeCloseTo(expected.smallest!, 5);
    expect(sums.norm / expected.norm!).toBeCloseTo(1, 6);
    const values = createArray(ctx, 'real', 7 * 4);
    await blockParallelFor(7, fill, ctx, { arrays: { values }, params: { columns: 4 } });
    await newestOnHost(values, ctx);
    expect([...values.values]).toEqual(Array.from({ length: 28 }, (_, k) => Math.floor(k / 4)));
    grid.free();
  });

  it('finds every pair with lists that take several buffers and dimensions', async () => {
    const next = sequence(5);
    const places = Array.from(
      { length: 900 },
      () => [12 * next(), 12 * next(), 12 * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([12, 12, 12]), places);
    const engine = engineOf(ctx);
    const { mostBytes } = engine.neighbors.builder;
    engine.neighbors.builder.mostBytes = 2 ** 16;
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2, force: true });
    engine.neighbors.builder.mostBytes = mostBytes;
    const lists = engine.neighbors.lists(grid)!;
    expect(lists.chunks.length).toBeGreaterThan(2);
    const read = engine.gpu.stream.read(lists.counts.buffer, 4 * 900);
    read.flush();
    const counts = new Uint32Array(await read.data);
    const found = counts.reduce((sum, word) => sum + (word & 0x7fffffff), 0);
    let pairs = 0;
    const { domain } = grid;
    for (const [k, a] of places.entries())
      for (const b of places.slice(0, k)) {
        const [x, y, z] = domain.minimumImage(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        if (x * x + y * y + z * z < 2.2 * 2.2) pairs++;
      }
    expect(Math.abs(found - 2 * pairs)).toBeLessThanOrEqual(2); // one on the edge may fall either way
    grid.free();
  });

  it('lets no block functor write outside its array, wherever its neighbors lie', async () => {
    const arrays = Array.from({ length: 3 }, () => createArray(ctx, 'real', 64));
    for (const { values } of arrays) values.fill(1);
    const values = arrays[1]!;
    for (const far of [64, 100, 2 ** 20, 2 ** 31, 2 ** 32 - 64]) {
      const params = { far };
      const handle = blockParallelFor(8, stray, ctx, { arrays: { values }, params });
      await expect(handle.wait()).rejects.toMatchObject({
        code: 'INDEX_OUT_OF_RANGE',
        message: expect.stringContaining('stray'),
      });
    }
    for (const array of arrays) {
      await newestOnHost(array, ctx);
      expect([...array.values]).toEqual(Array(64).fill(1));
    }
  });

  it('tells what did not fit into memory, and for whom, and goes on', async () => {
    if (!engineOf(ctx).gpu.info.software) return; // real devices have the memory
    const engine = await openEngine();
    const { gpu } = engine;
    const size = Math.min(
      gpu.device.limits.maxBufferSize,
      gpu.device.limits.maxStorageBufferBindingSize,
    );
    gpu.operation = 'lennard_jones';
    gpu.operator = 'lennard_jones_force';
    const take = () => {
      for (let k = 0; k < 8; k++) gpu.buffer('neighbor lists', size);
    };
    expect(take).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        message: expect.stringMatching(
          /'lennard_jones' of lennard_jones_force \([\d.]+ MiB wanted for 'neighbor lists'/,
        ),
      }),
    );
    expect(gpu.failure).toBeNull();
    await gpu.stream.finished();
    await engine.close();
  });
});
