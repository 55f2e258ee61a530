import { SharedHeap } from '@corpuscle/core';
import type { CellFunctor, ReduceFunctor } from '@corpuscle/functor';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { createArray } from '../../src/plan/createArray.js';
import type { Backend } from './Backend.js';
import * as functors from './functors.js';
import { cellOracle, expectClose, filledGrid, reduceOracle, sequence, snapshot } from './oracle.js';

/** Counts around lanes, chunks and partial sums. */
const counts = [0, 1, 2, 3, 7, 255, 256, 257, 511, 513, 1000, 4099];

/** What the block, cell and reduce patterns must do on every backend; oracles call the user's function directly. */
export function describePatterns(backend: Backend): void {
  describe(`patterns on ${backend.name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx.close());

    // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these bodies
    type AnyCell = CellFunctor<any, any>;
    // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these bodies
    type AnyReduce = ReduceFunctor<any, any>;

    async function checkCell(
      functor: AnyCell,
      params: object,
      count: number,
      seed: number,
      tolerance: number,
    ) {
      const grid = filledGrid(ctx.heap, count, seed);
      const expected = snapshot(grid);
      cellOracle(functor, expected, params);
      await computeCellParticles(grid, functor, ctx, { params: params as never });
      await newestOnHost(grid, ctx);
      for (const [name, values] of snapshot(grid))
        expectClose(values, expected.get(name)!, tolerance);
      grid.free();
    }

    describe('computeCellParticles', () => {
      it.each(counts)('gives each of %i particles what the direct call gives', async (count) => {
        await checkCell(
          functors.addVelocity,
          { x: 1.5, y: -2, z: 0.25 },
          count,
          count,
          backend.tolerance,
        );
        await checkCell(functors.kickDrift, { dt: 0.005 }, count, count, backend.tolerance);
        await checkCell(
          functors.branches,
          { limit: 8, table: [0.5, -3, 2], steps: 3 },
          count,
          count,
          backend.tolerance,
        );
        await checkCell(functors.storage, {}, count, count, backend.tolerance);
        await checkCell(functors.transcendental, { k: 0.3 }, count, count, backend.mathTolerance);
      });

      it('does so for any parameters, counts and contents', async () => {
        const parameters = fc.record({
          limit: fc.integer({ min: 0, max: 64 }).map((n) => n / 4),
          table: fc.array(
            fc.integer({ min: -64, max: 64 }).map((n) => n / 8),
            { minLength: 3, maxLength: 9 },
          ),
          steps: fc.integer({ min: 0, max: 9 }),
        });
        await fc.assert(
          fc.asyncProperty(
            parameters,
            fc.integer({ min: 1, max: 700 }),
            fc.nat(),
            (params, count, seed) =>
              checkCell(functors.branches, params, count, seed, backend.tolerance),
          ),
          { numRuns: 25 },
        );
      });

      it('leaves the dummy rows after the particles as they are', async () => {
        const grid = filledGrid(ctx.heap, 5);
        const { array } = grid.block('velocity');
        array.fill(77 as never, 4 * 5);
        const dummies = array.length - 4 * 5;
        grid.block('velocity').hostWritten();
        await computeCellParticles(grid, functors.addVelocity, ctx, {
          params: { x: 1, y: 1, z: 1 },
        });
        await newestOnHost(grid, ctx);
        expect([...(array as Float64Array).subarray(20)]).toEqual(Array(dummies).fill(77));
        grid.free();
      });

      it('clamps table indices that lie outside', async () => {
        await expect(
          checkCell(
            functors.branches,
            { limit: 100, table: [2.5], steps: 0 },
            9,
            3,
            backend.tolerance,
          ),
        ).rejects.toThrow(); // the direct call reads undefined; the engines read the last element:
        const grid = filledGrid(ctx.heap, 64);
        const before = snapshot(grid);
        await computeCellParticles(grid, functors.branches, ctx, {
          params: { limit: 100, table: [2.5], steps: 0 },
        });
        await newestOnHost(grid, ctx);
        const expected = before
          .get('vz')!
          .map((vz, k) => (before.get('type')![k] === 1 ? 2.5 : vz + 2.5));
        expectClose(grid.values('vz'), expected, backend.tolerance);
        grid.free();
      });

      it('runs calls in program order', async () => {
        const grid = filledGrid(ctx.heap, 300);
        const expected = snapshot(grid);
        for (let k = 0; k < 5; k++) {
          const params = { x: k, y: -k, z: 0.5 };
          computeCellParticles(grid, functors.addVelocity, ctx, {
            params,
            asynchronous: k % 2 === 0,
          });
          cellOracle(functors.addVelocity, expected, params);
          computeCellParticles(grid, functors.kickDrift, ctx, { params: { dt: 0.125 } });
          cellOracle(functors.kickDrift, expected, { dt: 0.125 });
        }
        await newestOnHost(grid, ctx);
        for (const name of ['vx', 'vy', 'vz', 'q'])
          expectClose(grid.values(name), expected.get(name)!, 8 * backend.tolerance);
        grid.free();
      });
    });

    describe('reduceCellParticles', () => {
      async function checkReduce(functor: AnyReduce, params: object, count: number, seed: number) {
        const grid = filledGrid(ctx.heap, count, seed);
        const expected = reduceOracle(functor, snapshot(grid), params);
        const results = await reduceCellParticles(grid, functor, {}, ctx, {
          params: params as never,
        });
        const actual = results as Record<string, number>;
        const scale = Math.max(1e-12, backend.tolerance * 4);
        for (const name in expected) expectClose([actual[name]!], [expected[name]!], scale);
        grid.free();
      }

      it.each(counts)('reduces %i particles as the direct call does', async (count) => {
        await checkReduce(functors.forceNorms, {}, count, count);
        await checkReduce(functors.someOfThem, { wanted: 1, weight: 0.5 }, count, count);
      });

      it('counts the initial value exactly once', async () => {
        const grid = filledGrid(ctx.heap, 4099);
        const none = await reduceCellParticles(grid, functors.someOfThem, {}, ctx, {
          params: { wanted: 2, weight: 1 },
        });
        const some = await reduceCellParticles(
          grid,
          functors.someOfThem,
          { count: 1000, charge: -5, highest: 1e6 },
          ctx,
          {
            params: { wanted: 2, weight: 1 },
          },
        );
        expect(some.count).toBe(none.count + 1000);
        expect(some.charge).toBeCloseTo(none.charge - 5, backend.tolerance === 0 ? 9 : 2);
        expect(some.highest).toBe(1e6);
        grid.free();
      });

      it('gives the initial values back where there are no particles', async () => {
        const grid = filledGrid(ctx.heap, 0);
        const result = await reduceCellParticles(grid, functors.forceNorms, { norm: 3 }, ctx);
        expect(result).toEqual({
          norm: 3,
          largest: Number.NEGATIVE_INFINITY,
          smallest: Number.POSITIVE_INFINITY,
        });
        grid.free();
      });

      it('gives the same bits in every run', async () => {
        const grid = filledGrid(ctx.heap, 20_000);
        const sums = new Set<number>();
        for (let run = 0; run < (backend.repeats ?? 20); run++)
          sums.add((await reduceCellParticles(grid, functors.forceNorms, {}, ctx)).norm);
        expect(sums.size).toBe(1);
        grid.free();
      });
    });

    describe('blockParallelFor', () => {
      it.each([
        [0, 5],
        [1, 1],
        [3, 500],
        [257, 3],
        [1000, 20],
      ])('adds a value to an array of %i rows and %i columns', async (rows, columns) => {
        const values = createArray(ctx, 'real', rows * columns);
        const next = sequence(rows);
        const start = Float64Array.from({ length: rows * columns }, () => Math.floor(64 * next()));
        values.write(start);
        await blockParallelFor(rows, functors.addValue, ctx, {
          arrays: { values },
          params: { columns, value: 1.5 },
        });
        await newestOnHost(values, ctx);
        expectClose(
          values.values,
          start.map((x) => x + 1.5),
          backend.tolerance,
        );
        values.free();
      });

      it('tells each block of a three-dimensional space where it stands', async () => {
        const [nx, ny, nz] = [5, 3, 4];
        const arrays = {
          x: createArray(ctx, 'i32', nx * ny * nz),
          y: createArray(ctx, 'u32', nx * ny * nz),
          z: createArray(ctx, 'f32', nx * ny * nz),
        };
        await blockParallelFor([nx, ny, nz], functors.coordinates, ctx, { arrays });
        for (const array of Object.values(arrays)) await newestOnHost(array, ctx);
        for (let z = 0, k = 0; z < nz; z++)
          for (let y = 0; y < ny; y++)
            for (let x = 0; x < nx; x++, k++)
              expect([arrays.x.values[k], arrays.y.values[k], arrays.z.values[k]]).toEqual([
                x,
                y,
                z,
              ]);
      });

      it('gathers through an index array, and clamps what lies outside', async () => {
        const n = 100;
        const from = createArray(ctx, 'real', n);
        from.write(Float64Array.from({ length: n }, (_, k) => 1 + k));
        const index = createArray(ctx, 'i32', n);
        index.write(
          Int32Array.from({ length: n }, (_, k) =>
            k === 7 ? 1_000_000 : k === 8 ? -1 : (k * 37) % n,
          ),
        );
        const to = createArray(ctx, 'real', n);
        const scale = Float64Array.from({ length: n }, (_, k) => k % 4);
        await blockParallelFor(n, functors.gather, ctx, {
          arrays: { from, to, index },
          params: { scale },
        });
        await newestOnHost(to, ctx);
        const at = (k: number) => (k === 7 || k === 8 ? n - 1 : (k * 37) % n);
        expectClose(
          to.values,
          Float64Array.from({ length: n }, (_, k) => (1 + at(k)) * (k % 4)),
          backend.tolerance,
        );
      });

      it.each([
        [1, 100],
        [-1, -1 >>> 0],
        [2_000_000_000, 2_000_000_000],
      ])('refuses writes outside an array and says so (offset %i)', async (offset) => {
        const before = createArray(ctx, 'real', 4);
        const values = createArray(ctx, 'real', 100);
        const after = createArray(ctx, 'real', 4);
        const call = async () =>
          void (await blockParallelFor(100, functors.offBy, ctx, {
            arrays: { values },
            params: { offset },
          }));
        await expect(call()).rejects.toMatchObject({
          code: 'INDEX_OUT_OF_RANGE',
          message: expect.stringMatching(/off_by.*values\[.*100 elements/),
        });
        for (const array of [before, values, after]) await newestOnHost(array, ctx);
        expect([...before.values, ...after.values]).toEqual(Array(8).fill(0));
        await blockParallelFor(100, functors.offBy, ctx, {
          arrays: { values },
          params: { offset: 0 },
        });
        await newestOnHost(values, ctx);
        expect([...values.values]).toEqual(Array(100).fill(1));
      });
    });

    it('shares a heap with other contexts', async () => {
      const heap = new SharedHeap();
      const other = await backend.open(heap);
      const grid = filledGrid(heap, 10);
      await computeCellParticles(grid, functors.addVelocity, other, {
        params: { x: 1, y: 0, z: 0 },
      });
      await other.close();
      expect(() =>
        computeCellParticles(grid, functors.addVelocity, other, { params: { x: 1, y: 0, z: 0 } }),
      ).toThrow(expect.objectContaining({ code: 'CLOSED' }));
    });
  });
}
