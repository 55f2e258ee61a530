import { cellFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { cellTable, nonEmptyCells } from '../../src/pattern/cellTable.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { Backend } from './Backend.js';
import { filledGrid } from './oracle.js';
import { extremes, histogram, variance } from './recordFunctors.js';

const counts = [0, 1, 2, 255, 257, 1000, 3001];

/** Reductions to records, and calls over lists of cells, on every backend; the oracles are plain loops. */
export function describeRecords(backend: Backend): void {
  describe(`records and cells on ${backend.name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx.close());
    const near = (a: number, b: number) =>
      expect(Math.abs(a - b)).toBeLessThanOrEqual(
        Math.max(1e-12, backend.tolerance * 8) * Math.max(1, Math.abs(b)),
      );

    it.each(counts)('finds the extreme of %i particles and who has it', async (count) => {
      const grid = filledGrid(ctx.heap, count, count + 1);
      const [v, ids] = [grid.values('vx'), grid.values('id')];
      const high = Math.max(...v);
      const low = Math.min(...v);
      const first = (x: number) =>
        count === 0 ? -1 : Math.min(...ids.filter((_, k) => v[k] === x));
      const result = await reduceCellParticles(grid, extremes, {}, ctx);
      expect(result).toEqual({
        fastest: { value: high, id: first(high) },
        slowest: { value: low, id: first(low) },
        count,
      });
      const known = { fastest: { value: 1e6, id: 7 }, count: 5 };
      const kept = await reduceCellParticles(grid, extremes, known, ctx);
      expect(kept.fastest).toEqual({ value: 1e6, id: 7 });
      expect(kept.count).toBe(count + 5);
      grid.free();
    });

    it.each(counts)('sorts %i particles into a histogram', async (count) => {
      const grid = filledGrid(ctx.heap, count, count + 1);
      const [v, q, type] = [grid.values('vx'), grid.values('q'), grid.values('type')];
      const bins = new Float64Array(16);
      const weighted = new Float64Array(3);
      v.forEach((x, k) => {
        const bin = Math.floor((x + 12) / 1.5);
        if (bin >= 0 && bin < 16) bins[bin] = bins[bin]! + 1;
        weighted[type[k]!] = weighted[type[k]!]! - q[k]!;
      });
      const params = { low: -12, width: 1.5 };
      const start = { bins: Array(16).fill(2) };
      const result = await reduceCellParticles(grid, histogram, start, ctx, { params });
      expect([...result.bins]).toEqual([...bins].map((n) => n + 2));
      weighted.forEach((w, k) => {
        near(result.weighted[k]!, w);
      });
      near(result.total, -weighted.reduce((a, b) => a + b, 0));
      grid.free();
    });

    it.each(counts)('joins %i particles by a function of the user', async (count) => {
      const grid = filledGrid(ctx.heap, count, count + 1);
      const v = grid.values('vx');
      const mean = v.reduce((a, b) => a + b, 0) / Math.max(1, count);
      const m2 = v.reduce((a, x) => a + (x - mean) ** 2, 0);
      const result = await reduceCellParticles(grid, variance, {}, ctx);
      expect(result.n).toBe(count);
      near(result.mean, mean);
      near(result.m2, m2);
      near(result.sums[0]! + result.sums[1]!, mean * count);
      expect(result.high).toBe(Math.max(...v));
      grid.free();
    });

    it('works on the particles of chosen cells, in every pattern', async () => {
      const grid = filledGrid(ctx.heap, 800, 3);
      await expect(cellTable(grid, ctx)).rejects.toMatchObject({ code: 'NOT_SORTED' });
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
      const { start, dims } = await cellTable(grid, ctx);
      expect(start.length).toBe(dims[0] * dims[1] * dims[2] + 1);
      expect(start.at(-1)).toBe(800);
      const full = await nonEmptyCells(grid, ctx);
      expect(full.every((c) => start[c + 1]! > start[c]!)).toBe(true);
      const cells = full.filter((_, k) => k % 3 === 1);
      await newestOnHost(grid, ctx);
      const inside = new Set<number>();
      for (const c of cells) for (let row = start[c]!; row < start[c + 1]!; row++) inside.add(row);
      const v = grid.values('vx');
      await computeCellParticles(grid, mark, ctx, { params: { x: 100 }, cells });
      const { count, fastest } = await reduceCellParticles(grid, extremes, {}, ctx, { cells });
      const plain = await reduceCellParticles(grid, counted, { n: 10 }, ctx, { cells });
      await newestOnHost(grid, ctx);
      expect([...grid.values('vx')]).toEqual([...v].map((x, k) => x + (inside.has(k) ? 100 : 0)));
      expect(count).toBe(inside.size);
      expect(plain.n).toBe(inside.size + 10);
      expect(fastest.value).toBe(Math.max(...[...inside].map((k) => v[k]! + 100)));
      const call = async () =>
        void (await computeCellParticles(grid, mark, ctx, { params: { x: 1 }, cells: [1e6] }));
      await expect(call()).rejects.toMatchObject({ code: 'INDEX_OUT_OF_RANGE' });
      grid.free();
    });

    it('sums in the order of ids to the same bits, however the particles lie', async () => {
      const sums = new Set<number>();
      for (const turned of [false, true]) {
        const grid = filledGrid(ctx.heap, 1500, 8);
        if (turned) {
          for (const name of ['fx', 'id', 'type', 'q', 'vx'])
            grid.setValues(name, grid.values(name).reverse());
        }
        const options = { params: { low: -3.3, width: 0.7 }, order: 'ids' } as const;
        sums.add((await reduceCellParticles(grid, irregular, {}, ctx, { order: 'ids' })).s);
        const { total } = await reduceCellParticles(grid, histogram, {}, ctx, options);
        expect(Number.isFinite(total)).toBe(true);
        grid.free();
      }
      expect(sums.size).toBe(1);
    });
  });
}

const mark = cellFunctor(
  { name: 'mark', fields: { vx: 'real' }, params: { x: 'real' } },
  (i, p) => {
    i.vx += p.x;
  },
);

const counted = reduceFunctor(
  { name: 'counted', result: { n: 'sum' }, read: { type: 'u32' } },
  (acc, i, _p, h) => {
    acc.n += h.real(i.type < 100);
  },
);

const irregular = reduceFunctor(
  { name: 'irregular', result: { s: 'sum' }, read: { fx: 'real', q: 'real' } },
  (acc, i) => {
    acc.s += i.fx / (3 + Math.abs(i.q));
  },
);
