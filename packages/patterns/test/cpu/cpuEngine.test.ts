import { Domain, Grid } from '@corpuscle/core';
import { blockFunctor, cellFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterEach, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { explain } from '../../src/pattern/explain.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { createArray } from '../../src/plan/createArray.js';
import { addVelocity, forceNorms } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';

let ctx: ExecutionContext;
afterEach(() => ctx?.close());

const open = async (options: Parameters<typeof createExecutionContext>[0] = {}) => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 2, ...options });
  return ctx;
};

describe('a sum of a million terms', () => {
  it.each([
    ['simd', 1],
    ['simd', 2],
    ['scalar', 2],
    ['javascript', 2],
  ] as const)('loses no digits (%s, %i threads)', async (lowering, threads) => {
    await open({ lowering, threads });
    const grid = new Grid(ctx.heap, Domain.orthorhombic([1, 1, 1]));
    grid.resize(1_000_000);
    grid.setValues(
      'vx',
      Float64Array.from({ length: 1_000_000 }, () => 0.1),
    );
    const sum = reduceFunctor(
      { name: 'sum_vx', result: { vx: 'sum' }, read: { vx: 'real' } },
      (acc, i) => {
        acc.vx += i.vx;
      },
    );
    const { vx } = reduceCellParticles(grid, sum, { vx: 1e8 }, ctx).value;
    // 0.1 is 3602879701896397 · 2^−55: the exact sum is 100000.00000000000555…; plain addition is off by 1e-6.
    expect(Math.abs(vx - 100_100_000)).toBeLessThan(1.5e-8);
    const plain = reduceCellParticles(grid, sum, {}, ctx).value.vx;
    expect(Math.abs(plain / 100_000 - 1)).toBeLessThan(1e-14);
  });

  it('gives the same bits with one and two threads', async () => {
    const values = new Set<number>();
    for (const threads of [1, 2]) {
      await open({ threads });
      values.add(reduceCellParticles(filledGrid(ctx.heap, 50_001), forceNorms, {}, ctx).value.norm);
      await ctx.close();
    }
    expect(values.size).toBe(1);
  });
});

describe('an ordinary call', () => {
  it('is complete when it returns', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 1000);
    const before = grid.values('vx');
    const handle = computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    expect(handle.done).toBe(true);
    expect(grid.values('vx')).toEqual(before.map((x) => x + 1));
  });

  it('marks what it has written', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 10);
    const versions = () => ['velocity', 'force'].map((name) => grid.block(name).hostVersion);
    const [velocity, force] = versions() as [number, number];
    computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    reduceCellParticles(grid, forceNorms, {}, ctx);
    expect(versions()).toEqual([velocity + 1, force]);
  });

  it('finds the fields again after the grid has grown and blocks have moved', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 10);
    const go = () => computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    go();
    grid.resize(5000);
    go();
    grid.block('velocity').swap();
    grid.block('velocity').swap();
    expect(grid.values('vx')[4999]).toBe(1);
  });
});

describe('a functor with gpu: false', () => {
  it('may be any JavaScript, and runs on the main thread', async () => {
    await open();
    const seen: number[] = [];
    const spy = cellFunctor(
      { name: 'spy', fields: { vx: 'real' }, read: { id: 'u32' }, traits: { gpu: false } },
      (i) => {
        seen.push(i.id);
        i.vx = [1, 2, 3].map((x) => x * i.id).reduce((a, b) => a + b);
      },
    );
    expect(spy.ir).toBeNull();
    expect(explain(spy, ctx)).toMatchObject({ backend: 'cpu', form: 'function' });
    const grid = filledGrid(ctx.heap, 5);
    computeCellParticles(grid, spy, ctx);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    expect([...grid.values('vx')]).toEqual([30, 24, 18, 12, 6]);
  });

  it('reduces and fills arrays too', async () => {
    await open();
    const grid = filledGrid(ctx.heap, 5);
    const odd = new Set([1, 3, 5]);
    const oddIds = reduceFunctor(
      {
        name: 'odd_ids',
        result: { sum: 'sum', top: 'max' },
        read: { id: 'u32' },
        traits: { gpu: false },
      },
      (acc, i) => {
        if (odd.has(i.id)) acc.sum += i.id;
        acc.top = Math.max(acc.top, i.id);
      },
    );
    expect(reduceCellParticles(grid, oddIds, { sum: 100 }, ctx).value).toEqual({
      sum: 109,
      top: 5,
    });
    const values = createArray(ctx, 'real', 4);
    const primes = [2, 3, 5, 7];
    const fill = blockFunctor(
      { name: 'fill', arrays: { values: 'real' }, traits: { gpu: false } },
      (b, a) => {
        a.values[b.index] = primes[b.index]!;
      },
    );
    blockParallelFor(4, fill, ctx, { arrays: { values } });
    expect([...values.values]).toEqual(primes);
  });

  it('has its errors wrapped with the name of the functor', async () => {
    await open();
    const bad = cellFunctor({ name: 'bad', fields: { vx: 'real' }, traits: { gpu: false } }, () => {
      throw new Error('no luck');
    });
    expect(() => computeCellParticles(filledGrid(ctx.heap, 5), bad, ctx)).toThrow(
      expect.objectContaining({ code: 'KERNEL_FAILED', message: "functor 'bad' failed: no luck" }),
    );
  });
});
