import { Domain, type Grid } from '@corpuscle/core';
import {
  type AllPairsOptions,
  computeCellParticlePairs,
  createArray,
  createExecutionContext,
  type ExecutionContext,
  explain,
  neighbourhoodFunctor,
  newestOnHost,
  type Precision,
  type SharedArray,
  updateNeighbours,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxes, bruteForce, mutual, oneSided, outputs, particles } from './allPairSystems.js';

interface Machine {
  readonly backend: 'cpu' | 'webgpu';
  readonly precision: Precision;
  readonly threads: number;
  readonly lowering?: 'javascript';
  readonly tolerance: number;
  /** The GPU has one way only to visit a pair. */
  readonly functors?: 'both' | 'one';
}

export function describeAllPairs({ tolerance, functors = 'both', ...machine }: Machine): void {
  describe(`all pairs on ${Object.values(machine).join(' ')}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      ctx = await createExecutionContext(machine);
    });
    afterAll(() => ctx?.close());

    describe.each(Object.entries(boxes))('%s', (_, domain) => {
      it.each([
        ['within 0.4', 0.4, true],
        ['within 0.9', 0.9, true],
        ['beyond half the box', 2.1, true],
        ['without a cutoff', Number.POSITIVE_INFINITY, true],
        ['without images', 1.2, false],
      ] as const)('meet once, at nearest images: %s', async (_name, rcut, images) => {
        const grid = particles(ctx, domain, 150);
        const every = Array.from({ length: 150 }, (_, k) => k);
        for (const functor of functors === 'both' ? [mutual, oneSided] : [mutual]) {
          await newestOnHost(grid, ctx);
          (grid.block('force').array as Float64Array).fill(0);
          grid.block('force').hostWritten();
          const totals = await computeCellParticlePairs(grid, functor, ctx, {
            rcut,
            params: { k: 0.3 },
            outputs,
            allPairs: { images },
          });
          await newestOnHost(grid, ctx);
          const expected = bruteForce(grid, rcut, { images, rows: every, others: every });
          agrees(grid, totals, expected);
        }
        grid.free();
      });
    });

    it('meet between two sets of rows', async () => {
      const grid = particles(ctx, boxes.orthorhombic, 150);
      const rows = [140, 3, 4, 5, 77, 12, 100];
      const others = Array.from({ length: 131 }, (_, k) => k + 2);
      const central = createArray(ctx, 'u32', rows.length);
      const neighbours = createArray(ctx, 'u32', others.length);
      central.write(rows);
      neighbours.write(others);
      const options = { rcut: 1.4, params: { k: 0.3 }, outputs };
      const two = { central, neighbours };
      const totals = await computeCellParticlePairs(grid, oneSided, ctx, {
        ...options,
        allPairs: two,
      });
      await newestOnHost(grid, ctx);
      agrees(grid, totals, bruteForce(grid, 1.4, { rows, others }));
      // One set, each pair once.
      (grid.block('force').array as Float64Array).fill(0);
      grid.block('force').hostWritten();
      const one = { central: neighbours, neighbours };
      const own = await computeCellParticlePairs(grid, mutual, ctx, { ...options, allPairs: one });
      await newestOnHost(grid, ctx);
      agrees(grid, own, bruteForce(grid, 1.4, { rows: others, others }));
      for (const thing of [grid, central, neighbours]) thing.free();
    });

    it('meet as they are listed', async () => {
      const lists = [[7, 8, 8, 3], [], [140], [149, 12, 0, 5], [4]];
      const [rows, others] = [[3, 140, 12, 77, 5], lists.flat()];
      const starts = [0, 4, 4, 5, 9, 10];
      const arrays = [rows, others, starts].map((values) => {
        const array = createArray(ctx, 'u32', values.length);
        array.write(values);
        return array;
      });
      const [central, neighbours, first] = arrays as [SharedArray, SharedArray, SharedArray];
      for (const domain of [boxes.orthorhombic, boxes['far from reduced']])
        for (const rcut of [1.4, Number.POSITIVE_INFINITY]) {
          const grid = particles(ctx, domain, 150);
          const totals = await computeCellParticlePairs(grid, oneSided, ctx, {
            rcut,
            params: { k: 0.3 },
            outputs,
            allPairs: { central, neighbours, starts: first },
          });
          await newestOnHost(grid, ctx);
          agrees(grid, totals, bruteForce(grid, rcut, { rows, others, starts }));
          grid.free();
        }
      for (const array of arrays) array.free();
    });

    it('are found by labels, also when particles have been sorted', async () => {
      const grid = particles(ctx, boxes.orthorhombic, 150);
      const block = grid.addBlock({ name: 'tag', type: 'u32', width: 1, members: ['tag'] });
      const tags = () => [...(block.array as Uint32Array).subarray(0, 150)];
      (block.array as Uint32Array).set(tags().map((_, row) => 150 - row));
      block.hostWritten();
      const named = [[140, 3, 4, 77], Array.from({ length: 131 }, (_, k) => k + 2)];
      const [central, neighbours] = named.map((values) => {
        const array = createArray(ctx, 'u32', values.length);
        array.write(values);
        return array;
      }) as [SharedArray, SharedArray];
      await updateNeighbours(grid, ctx, { rcut: 0.5, skin: 0.1 });
      const allPairs = { central, neighbours, labels: 'tag' };
      const options = { rcut: 1.4, params: { k: 0.3 }, outputs };
      const totals = await computeCellParticlePairs(grid, oneSided, ctx, { ...options, allPairs });
      await newestOnHost(grid, ctx);
      const rowOf = new Map(tags().map((tag, row) => [tag, row]));
      const [rows, others] = named.map((all) => all.map((tag) => rowOf.get(tag)!));
      agrees(grid, totals, bruteForce(grid, 1.4, { rows: rows!, others: others! }));
      expect(() =>
        computeCellParticlePairs(grid, oneSided, ctx, { ...options, allPairs: { labels: 'rx' } }),
      ).toThrow('give a u32 field');
      for (const thing of [grid, central, neighbours]) thing.free();
    });

    it('are found in a box that has changed, and wherever particles have gone', async () => {
      const grid = particles(ctx, Domain.orthorhombic([3, 3.5, 4]), 60);
      const every = Array.from({ length: 60 }, (_, k) => k);
      const options = { rcut: 2, params: { k: 0.3 }, outputs, allPairs: true } as const;
      await computeCellParticlePairs(grid, mutual, ctx, options);
      for (const [domain, scale, shift] of [
        [Domain.orthorhombic([13, 14, 15]), 4, 0],
        [Domain.open({ lower: [0, 0, 0], upper: [1, 1, 1] }), 0.5, 5000],
      ] as const) {
        await newestOnHost(grid, ctx);
        grid.domain = domain;
        const r = grid.block('position').array as Float64Array;
        for (let k = 0; k < 240; k++) if (k % 4 < 3) r[k] = r[k]! * scale + shift;
        grid.block('position').hostWritten();
        (grid.block('force').array as Float64Array).fill(0);
        grid.block('force').hostWritten();
        const totals = await computeCellParticlePairs(grid, mutual, ctx, options);
        await newestOnHost(grid, ctx);
        agrees(grid, totals, bruteForce(grid, 2, { rows: every, others: every }));
      }
      grid.free();
    });

    it('tell when a particle has left an open box far behind, or count it', async () => {
      const grid = particles(ctx, boxes.open, 60);
      const options = { rcut: 2, params: { k: 0.3 }, outputs, allPairs: true } as const;
      await computeCellParticlePairs(grid, mutual, ctx, options);
      await newestOnHost(grid, ctx);
      (grid.block('position').array as Float64Array)[0] = 1e7;
      grid.block('position').hostWritten();
      const { ep } = await computeCellParticlePairs(grid, mutual, ctx, options);
      // On the GPU positions are fractions of the frame that they had.
      if (machine.backend === 'webgpu') expect(ep).toBeNaN();
      else expect(ep).toBeGreaterThan(0);
      grid.free();
    });

    it('refuse what they cannot do', async () => {
      const grid = particles(ctx, boxes.open, 4);
      const reals = createArray(ctx, 'real', 2);
      const pairsOf = (rcut: number, allPairs: AllPairsOptions | boolean) =>
        computeCellParticlePairs(grid, mutual, ctx, { rcut, params: { k: 1 }, outputs, allPairs });
      expect(() => pairsOf(1, { central: reals })).toThrow(
        "central of functor 'mutual' is an array of real",
      );
      const rows = createArray(ctx, 'u32', 2);
      expect(() => pairsOf(1, { central: rows, starts: rows })).toThrow('starts of functor');
      const three = { central: rows, neighbours: rows, starts: rows };
      expect(() => pairsOf(1, three)).toThrow(
        'one number more than there are central particles (2)',
      );
      expect(() => pairsOf(Number.POSITIVE_INFINITY, false)).toThrow('rcut is Infinity');
      const whole = neighbourhoodFunctor({ name: 'whole', central: { ep: 'real' } }, (i, b) => {
        i.ep += b.count;
      });
      expect(() => computeCellParticlePairs(grid, whole, ctx, { rcut: 1, allPairs: true })).toThrow(
        'looks at whole neighbourhoods',
      );
      for (const thing of [grid, reals, rows]) thing.free();
    });

    it('say how they are met', () => {
      const decision = explain(mutual, ctx, { allPairs: true });
      expect(decision).toMatchObject({ backend: machine.backend, form: 'all_pairs' });
      expect(decision.reason).toContain('without lists');
    });

    function agrees(
      grid: Grid,
      totals: { ep: number; w: number },
      expected: ReturnType<typeof bruteForce>,
    ): void {
      const found = grid.block('force').array as Float64Array;
      const scale = Math.max(...expected.field.map(Math.abs));
      for (let k = 0; k < 4 * grid.count; k++)
        expect(Math.abs(found[k]! - expected.field[k]!) / scale, `number ${k}`).toBeLessThan(
          tolerance,
        );
      expect(Math.abs(totals.ep / expected.ep - 1)).toBeLessThan(tolerance);
      expect(Math.abs(totals.w / expected.w - 1)).toBeLessThan(tolerance);
    }
  });
}
