import { blockFunctor, cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { availableThreads } from '../../src/engine/availableThreads.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { createArray } from '../../src/plan/createArray.js';
import { addVelocity, offBy } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';
import { coordination } from '../shared/pairFunctors.js';

/** Turns that depend on each other: time that no compiler takes away. */
const burn = blockFunctor(
  { name: 'burn', arrays: { out: 'real' }, params: { turns: 'u32' } },
  (b, a, p, h) => {
    let x = h.real(b.index);
    for (let k = h.u32(0); k < p.turns; k++) x = x * 0.999 + 1;
    if (b.lane === 0) a.out[b.index] = x;
  },
);

const twice = cellFunctor({ name: 'twice', fields: { q: 'real' } }, (i) => {
  i.q = 2 * i.q + 1;
});

const failing = cellFunctor(
  { name: 'failing', fields: { q: 'real' }, traits: { gpu: false } },
  (i) => {
    if (i.q > -1e9) throw new Error('thrown on purpose');
  },
);

describe('lanes on the CPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
    await ctx.ready();
  });
  afterAll(() => ctx.close());

  it('run the calls of one lane in their order', async () => {
    const grid = filledGrid(ctx.heap, 5000, 2);
    const start = grid.values('q');
    const handles = Array.from({ length: 6 }, () =>
      computeCellParticles(grid, twice, ctx, { lane: 'a' }),
    );
    await handles.at(-1)!.wait();
    expect(handles.every((handle) => handle.done)).toBe(true);
    expect([...grid.values('q')]).toEqual([...start].map((q) => 64 * q + 63));
    grid.free();
  });

  it.skipIf(availableThreads() < 2)(
    'let a short call overtake a long one of another lane',
    async () => {
      const [long, short] = [createArray(ctx, 'real', 64), createArray(ctx, 'real', 64)];
      const done: string[] = [];
      const call = (out: typeof long, lane: string, turns: number) =>
        blockParallelFor(64, burn, ctx, {
          arrays: { out },
          params: { turns },
          lane,
          chunk: 1,
          onComplete: () => {
            done.push(lane);
          },
        });
      const handles = [
        call(long, 'long', 10),
        call(long, 'long', 2_000_000),
        call(short, 'short', 10),
      ];
      for (const handle of handles) await handle.wait();
      expect(done).toEqual(['long', 'short', 'long']);
      for (const array of [long, short]) array.free();
    },
  );

  it('return from pair and list calls before they are done', async () => {
    const grid = filledGrid(ctx.heap, 400, 3);
    grid.addBlock({ name: 'cn', type: 'f64', width: 1, members: ['cn'] });
    const lists = updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3, asynchronous: true });
    const params = { r0: 1, near2: 1 };
    const outputs = { cn: 'total', hard: 'none' } as const;
    const options = { rcut: 2, params, outputs, lane: 1 };
    const pairs = computeCellParticlePairs(grid, coordination, ctx, options);
    expect([lists.done, pairs.done]).toEqual([false, false]);
    const later = await pairs;
    const now = await computeCellParticlePairs(grid, coordination, ctx, {
      rcut: 2,
      params,
      outputs,
    });
    expect(later.cn).toBe(now.cn);
    expect((await lists).rebuilt).toBe(true);
    // A call that needs the result makes it come.
    const again = computeCellParticlePairs(grid, coordination, ctx, {
      rcut: 2,
      params,
      outputs: { cn: 'particles', hard: 'none' },
      asynchronous: true,
    });
    await newestOnHost(grid, ctx);
    expect(grid.values('cn').reduce((a, b) => a + b, 0)).toBeCloseTo(now.cn, 9);
    await again;
    grid.free();
  });

  it('keep errors until they are awaited', async () => {
    const values = createArray(ctx, 'real', 4);
    const handle = blockParallelFor(4, offBy, ctx, {
      arrays: { values },
      params: { offset: 3 },
      lane: 'wrong',
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(handle.wait()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
    const grid = filledGrid(ctx.heap, 4);
    const callback = computeCellParticles(grid, addVelocity, ctx, {
      params: { x: 1, y: 1, z: 1 },
      asynchronous: true,
      onComplete: () => {
        throw new Error('told on purpose');
      },
    });
    await expect(callback.wait()).rejects.toThrow('told on purpose');
    grid.free();
  });
});

describe('errors that have not been awaited', () => {
  it('come out of close', async () => {
    const ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
    const values = createArray(ctx, 'real', 4);
    const call = (offset: number) =>
      blockParallelFor(4, offBy, ctx, { arrays: { values }, params: { offset }, lane: offset });
    void call(0);
    void call(2);
    await expect(ctx.close()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
    await ctx.close();
  });

  it('come out together when there are several', async () => {
    const ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
    const values = createArray(ctx, 'real', 4);
    for (const offset of [1, 2])
      void blockParallelFor(4, offBy, ctx, {
        arrays: { values },
        params: { offset },
        lane: offset,
      });
    await expect(ctx.close()).rejects.toMatchObject({
      message: expect.stringMatching(/2 calls that nobody awaited failed/),
    });
    const other = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = filledGrid(other.heap, 4);
    expect(() => computeCellParticles(grid, failing, other)).toThrow(
      expect.objectContaining({ code: 'KERNEL_FAILED' }),
    );
    await other.close();
  });
});
