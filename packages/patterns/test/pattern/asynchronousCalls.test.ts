import { cellFunctor } from '@corpuscle/functor';
import { afterEach, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { availableThreads } from '../../src/engine/availableThreads.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { createArray } from '../../src/plan/createArray.js';
import { addVelocity, forceNorms, offBy } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';

let ctx: ExecutionContext;
afterEach(() => ctx?.close());

const open = async (options: Parameters<typeof createExecutionContext>[0] = {}) => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 2, ...options });
  return ctx;
};

/** Enough work for some milliseconds. */
const heavy = cellFunctor(
  { name: 'heavy', fields: { vx: 'real' }, params: { turns: 'i32' } },
  (i, p, h) => {
    let x = i.vx;
    for (let k = h.i32(0); k < p.turns; k++) x = x * 0.999 + Math.sqrt(Math.abs(x) + 1);
    i.vx = x;
  },
);

describe.runIf(availableThreads() > 1)('an asynchronous call', () => {
  it('leaves the main thread free, and is done when it says so', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 20_000);
    const handle = computeCellParticles(grid, heavy, ctx, {
      params: { turns: 500 },
      asynchronous: true,
    });
    expect(handle.done).toBe(false);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await handle.wait();
    clearInterval(timer);
    expect(handle.done).toBe(true);
    expect(ticks).toBeGreaterThan(2);
    const other = filledGrid(ctx.heap, 20_000);
    computeCellParticles(other, heavy, ctx, { params: { turns: 500 } });
    expect(grid.values('vx')).toEqual(other.values('vx'));
  });

  it('keeps program order with what follows', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 20_000);
    const before = grid.values('vx');
    const first = computeCellParticles(grid, addVelocity, ctx, {
      params: { x: 1, y: 0, z: 0 },
      asynchronous: true,
    });
    const second = computeCellParticles(grid, addVelocity, ctx, {
      params: { x: 2, y: 0, z: 0 },
      asynchronous: true,
    });
    const third = computeCellParticles(grid, addVelocity, ctx, { params: { x: 4, y: 0, z: 0 } });
    expect(third.done).toBe(true);
    await Promise.all([first, second]);
    expect(grid.values('vx')).toEqual(before.map((x) => x + 1 + 2 + 4));
  });

  it('reduces in the background', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 20_000);
    const handle = reduceCellParticles(grid, forceNorms, { norm: 5 }, ctx, { asynchronous: true });
    expect(await handle).toEqual(reduceCellParticles(grid, forceNorms, { norm: 5 }, ctx).value);
  });

  it('tells its error when it is awaited', async () => {
    await open();
    const values = createArray(ctx, 'real', 100);
    const handle = blockParallelFor(100, offBy, ctx, {
      arrays: { values },
      params: { offset: 50 },
      asynchronous: true,
    });
    await expect(handle.wait()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
    expect(() => handle.value).toThrow(/off_by/);
  });

  it('ends before the copies on the host count as current', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 20_000);
    const before = grid.values('vx');
    computeCellParticles(grid, addVelocity, ctx, {
      params: { x: 1, y: 0, z: 0 },
      asynchronous: true,
    });
    await newestOnHost(grid, ctx);
    expect(grid.values('vx')).toEqual(before.map((x) => x + 1));
  });
});
