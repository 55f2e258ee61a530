import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor, parallelFor } from '../../src/pattern/blockParallelFor.js';
import { explain } from '../../src/pattern/explain.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { createArray, type SharedArray } from '../../src/plan/createArray.js';
import type { Backend } from './Backend.js';
import * as functors from './blockFunctors.js';
import { sequence } from './oracle.js';

const schedules = ['dynamic', 'static', 'guided', 'stealing'] as const;

/** Forms of the block pattern on every backend; oracles are plain loops over numbers that are exact everywhere. */
export function describeBlocks(backend: Backend): void {
  describe(`blocks on ${backend.name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx.close());
    const filled = (n: number, seed = 1): SharedArray => {
      const array = createArray(ctx, 'real', n);
      const next = sequence(seed);
      array.write(Float64Array.from({ length: n }, () => Math.floor(64 * next())));
      return array;
    };
    const read = async (array: SharedArray): Promise<number[]> => {
      await newestOnHost(array, ctx);
      return [...array.values];
    };

    it.each([1, 7, 32, 128])('shares memory among %i lanes', async (blockSize) => {
      for (const schedule of ['dynamic', 'stealing'] as const) {
        const [rows, columns] = [5, 200];
        const from = filled(rows * columns);
        const to = createArray(ctx, 'real', rows * columns);
        const arrays = { from, to };
        const options = { arrays, params: { columns }, blockSize, schedule };
        await blockParallelFor(rows, functors.differences, ctx, options);
        const x = from.values;
        const expected = Array.from({ length: rows * columns }, (_, k) =>
          k % columns === columns - 1 ? 0 : x[k + 1]! - x[k]!,
        );
        expect(await read(to)).toEqual(expected);
        for (const array of [from, to]) array.free();
      }
    });

    it.each([1, 4, 64, 256])('sums rows by a tree of %i lanes', async (blockSize) => {
      const [rows, columns] = [9, 300];
      const from = filled(rows * columns, 3);
      const sums = createArray(ctx, 'real', rows);
      const arrays = { from, sums };
      await blockParallelFor(rows, functors.rowSums, ctx, {
        arrays,
        params: { columns },
        blockSize,
        schedule: 'stealing',
      });
      const expected = Array.from({ length: rows }, (_, r) =>
        [...from.values].slice(r * columns, (r + 1) * columns).reduce((a, b) => a + b, 0),
      );
      expect(await read(sums)).toEqual(expected);
    });

    it.each(schedules)('returns small results (%s)', async (schedule) => {
      for (const n of [0, 1, 300]) {
        const turns = createArray(ctx, 'u32', Math.max(1, n));
        const result = await blockParallelFor(n, functors.uneven, ctx, {
          arrays: { turns },
          params: { most: n },
          schedule,
          blockSize: 32,
          chunk: 3,
        });
        expect(result.total).toBe((n * (n - 1)) / 2 + 0);
        expect(result.longest).toBe(n === 0 ? Number.NEGATIVE_INFINITY : n - 1);
        expect(result.shortest).toBe(n === 0 ? Number.POSITIVE_INFINITY : 0);
        expect([...result.parity]).toEqual([Math.ceil(n / 2), Math.floor(n / 2)]);
        if (n > 0) expect(await read(turns)).toEqual(Array.from({ length: n }, (_, k) => k));
      }
    });

    it.each(schedules)('visits each index of a list once (%s)', async (schedule) => {
      const [nx, ny, nz] = [5, 3, 4];
      const indices = Array.from({ length: 60 }, (_, k) => (k * 7) % 60).filter((k) => k % 3 > 0);
      const count = createArray(ctx, 'u32', 60);
      const place = createArray(ctx, 'u32', 60);
      await blockParallelFor([nx, ny, nz], functors.visits, ctx, {
        arrays: { count, place },
        params: { nx, ny },
        indices,
        schedule,
      });
      const chosen = new Set(indices);
      expect(await read(count)).toEqual(
        Array.from({ length: 60 }, (_, k) => (chosen.has(k) ? 1 : 0)),
      );
      expect(await read(place)).toEqual(
        Array.from({ length: 60 }, (_, k) => (chosen.has(k) ? k : 0)),
      );
    });

    it('takes an element a lane, and says what it has found', async () => {
      const values = filled(1000, 5);
      const before = [...values.values];
      let told = 0;
      const { sum } = await parallelFor(1000, functors.halve, ctx, {
        arrays: { values },
        onComplete: () => {
          told++;
        },
      });
      expect(await read(values)).toEqual(before.map((x) => x / 2));
      expect(sum).toBe(before.reduce((a, x) => a + x / 2, 0));
      expect(told).toBe(1);
    });

    it('runs hooks before and after', async () => {
      const values = filled(70, 6);
      const squares = [...values.values].map((x) => x * x);
      const log = createArray(ctx, 'real', 2);
      for (const asynchronous of [false, true]) {
        values.write(squares.map(Math.sqrt));
        const arrays = { values, log };
        await blockParallelFor(70, functors.hooked, ctx, {
          arrays,
          params: { n: 70 },
          asynchronous,
        });
        expect(await read(values)).toEqual(squares);
        expect(await read(log)).toEqual([-1, -squares.reduce((a, b) => a + b, 0)]);
      }
    });

    it('refuses what does not fit', async () => {
      const values = filled(4);
      const arrays = { values };
      const call = (options: object) => () =>
        void parallelFor(4, functors.halve, ctx, { arrays, ...options });
      expect(call({ indices: [4] })).toThrow(
        expect.objectContaining({ code: 'INDEX_OUT_OF_RANGE' }),
      );
      expect(call({ schedule: 'random' })).toThrow(
        expect.objectContaining({ code: 'INVALID_VALUE' }),
      );
      expect(call({ chunk: 0 })).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }));
      const shared = () =>
        void parallelFor(4, functors.rowSums, ctx, {
          arrays: { from: values, sums: createArray(ctx, 'real', 4) },
          params: { columns: 1 },
        });
      expect(shared).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }));
      const small = explain(functors.halve, ctx, { enableGpu: { atLeast: 100 }, size: 99 });
      expect(small.backend).toBe('cpu');
    });
  });
}
