import { Domain, Grid } from '@corpuscle/core';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
} from '../src/context/ExecutionContext.js';
import { availableThreads } from '../src/cpu/ThreadPool.js';
import { blockFunctor } from '../src/functor/blockFunctor.js';
import { cellFunctor } from '../src/functor/cellFunctor.js';
import { pairFunctor } from '../src/functor/pairFunctor.js';
import { reduceFunctor } from '../src/functor/reduceFunctor.js';
import { blockParallelFor } from '../src/pattern/blockParallelFor.js';
import { computeCellParticlePairs } from '../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../src/pattern/computeCellParticles.js';
import { createArray } from '../src/pattern/createArray.js';
import { explain } from '../src/pattern/explain.js';
import { newestOnHost } from '../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../src/pattern/reduceCellParticles.js';
import { updateNeighbours } from '../src/pattern/updateNeighbours.js';
import { addValue, addVelocity, forceNorms, offBy, someOfThem } from './shared/functors.js';
import { filledGrid } from './shared/oracle.js';

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

const pair = pairFunctor(
  { name: 'count_neighbours', central: { ep: 'real' }, params: { unit: 'real' } },
  (i, _j, _d, p) => {
    i.ep += p.unit;
  },
);

describe('what a call is given', () => {
  it.each<[string, string, RegExp, (grid: Grid) => unknown]>([
    [
      'a missing parameter',
      'MISSING_VALUE',
      /'z' of functor 'add_velocity' is missing/,
      (grid) => computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 2 } as never }),
    ],
    [
      'no parameters at all',
      'MISSING_VALUE',
      /'x' of functor 'add_velocity'/,
      (grid) => computeCellParticles(grid, addVelocity, ctx),
    ],
    [
      'an unknown parameter',
      'UNKNOWN_KEY',
      /no parameter 'w'.*x, y, z/,
      (grid) =>
        computeCellParticles(grid, addVelocity, ctx, {
          params: { x: 1, y: 2, z: 3, w: 4 } as never,
        }),
    ],
    [
      'a number for a table',
      'WRONG_TYPE',
      /must be an array/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 't', fields: { vx: 'real' }, params: { t: 'real[]' } }, (i, p) => {
            i.vx = p.t[0]!;
          }),
          ctx,
          { params: { t: 4 } as never },
        ),
    ],
    [
      'an empty table',
      'INVALID_VALUE',
      /table 't'.*is empty/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 't', fields: { vx: 'real' }, params: { t: 'real[]' } }, (i, p) => {
            i.vx = p.t[0]!;
          }),
          ctx,
          { params: { t: [] } },
        ),
    ],
    [
      'a fraction for an integer',
      'INVALID_VALUE',
      /'wanted'.*is 0.5, but its type is u32/,
      (grid) =>
        reduceCellParticles(grid, someOfThem, {}, ctx, { params: { wanted: 0.5, weight: 1 } }),
    ],
    [
      'an unknown result',
      'UNKNOWN_KEY',
      /no result 'sum'.*norm, largest, smallest/,
      (grid) => reduceCellParticles(grid, forceNorms, { sum: 0 } as never, ctx),
    ],
    [
      'a field the grid lacks',
      'UNKNOWN_FIELD',
      /no field 'spin'/,
      (grid) =>
        computeCellParticles(
          grid,
          cellFunctor({ name: 'f', fields: { spin: 'real' } }, (i) => {
            i.spin = 1;
          }),
          ctx,
        ),
    ],
    [
      'a pair output the grid has no field for',
      'UNKNOWN_FIELD',
      /output 'spin' of functor 'f'.*grid\.addBlock.*outputs: \{ spin: 'total' \}/,
      (grid) =>
        computeCellParticlePairs(
          grid,
          pairFunctor({ name: 'f', central: { spin: 'real' } }, (i) => {
            i.spin += 1;
          }),
          ctx,
          { rcut: 1 },
        ),
    ],
    [
      'a real field read as an integer',
      'WRONG_TYPE',
      /reads 'vx' as u32, but it is stored as f64/,
      (grid) =>
        reduceCellParticles(
          grid,
          reduceFunctor(
            { name: 'f', result: { n: 'sum' }, read: { vx: 'u32' } },
            (acc, i, _p, h) => {
              acc.n += h.real(i.vx);
            },
          ),
          {},
          ctx,
        ),
    ],
    [
      'an array that is missing',
      'MISSING_VALUE',
      /array 'values' of functor 'add_value'/,
      () => blockParallelFor(3, addValue, ctx, { params: { columns: 1, value: 1 } }),
    ],
    [
      'an array of another type',
      'WRONG_TYPE',
      /'values'.*holds u32.*wants real/,
      () =>
        blockParallelFor(3, addValue, ctx, {
          arrays: { values: createArray(ctx, 'u32', 3) },
          params: { columns: 1, value: 1 },
        }),
    ],
    [
      'a negative space',
      'INVALID_VALUE',
      /-1 × 1 × 1/,
      () =>
        blockParallelFor(-1, addValue, ctx, {
          arrays: { values: createArray(ctx, 'real', 3) },
          params: { columns: 1, value: 1 },
        }),
    ],
    [
      'pairs without lists',
      'NO_NEIGHBOUR_LISTS',
      /updateNeighbours/,
      (grid) => computeCellParticlePairs(grid, pair, ctx, { rcut: 1, params: { unit: 1 } }),
    ],
    [
      'an unknown output',
      'UNKNOWN_KEY',
      /no output 'fx'/,
      (grid) =>
        computeCellParticlePairs(grid, pair, ctx, {
          rcut: 1,
          params: { unit: 1 },
          outputs: { fx: 'total' } as never,
        }),
    ],
    [
      'a cutoff that is not a number',
      'INVALID_VALUE',
      /rcut is NaN/,
      (grid) => updateNeighbours(grid, ctx, { rcut: Number.NaN, skin: 0 }),
    ],
    ['a negative array length', 'INVALID_VALUE', /length -3/, () => createArray(ctx, 'real', -3)],
  ])('is refused: %s', async (_, code, message, call) => {
    await open();
    const grid = filledGrid(ctx.heap, 10);
    expect(() => call(grid)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('choices and kinds of parameters are checked, for callers without a compiler too', async () => {
    for (const options of [{ backend: 'cuda' }, { precision: 'f16' }, { lowering: 'avx' }]) {
      const made = createExecutionContext(options as ExecutionContextOptions);
      await expect(made).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    }
    const scale = cellFunctor(
      { name: 'scale', fields: { vx: 'real' }, params: { factor: 'real' } },
      (i, p) => {
        i.vx *= p.factor;
      },
    );
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = new Grid(ctx.heap, Domain.open());
    const params = { factor: '2' } as unknown as { factor: number };
    expect(() => computeCellParticles(grid, scale, ctx, { params })).toThrow(/must be a number/);
  });

  it('threads are checked and capped', async () => {
    await expect(createExecutionContext({ backend: 'cpu', threads: 0 })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    await open({ threads: 10_000 });
    expect(ctx.threads).toBe(availableThreads());
  });
});

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

  it('tells its error to whoever waits', async () => {
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

  it('is over before the host copies are called current', async () => {
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
