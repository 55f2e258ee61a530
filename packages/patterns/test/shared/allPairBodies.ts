import { Domain, type SharedHeap } from '@corpuscle/core';
import {
  type AllPairsOptions,
  computeCellParticlePairs,
  createArray,
  createExecutionContext,
  type ExecutionContext,
  explain,
  neighborhoodFunctor,
  newestOnHost,
  type Precision,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRows } from './allPairRows.js';
import {
  agrees,
  boxes,
  bruteForce,
  mutual,
  oneSided,
  outputs,
  particles,
} from './allPairSystems.js';

interface Machine {
  readonly backend: 'cpu' | 'webgpu';
  readonly precision: Precision;
  readonly threads: number;
  readonly lowering?: 'javascript';
  readonly tolerance: number;
  /** The GPU has one way only to visit a pair. */
  readonly functors?: 'both' | 'one';
  /** Leaves out boxes and rows that another precision has. */
  readonly isBrief?: boolean;
  /** Makes the heap. Default: the context does. */
  readonly heap?: () => SharedHeap;
}

export function describeAllPairs({
  tolerance,
  functors = 'both',
  heap,
  isBrief = false,
  ...machine
}: Machine): void {
  const where = heap ? ' beyond 4 GiB' : '';
  describe(`all pairs on ${Object.values(machine).join(' ')}${where}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      ctx = await createExecutionContext({ ...machine, ...(heap && { heap: heap() }) });
    });
    afterAll(() => ctx?.close());

    const some = Object.entries(boxes).slice(0, isBrief ? 1 : undefined);
    describe.each(some)('%s', (_, domain) => {
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
          agrees(tolerance, grid, totals, expected);
        }
        grid.free();
      });
    });

    if (!isBrief) describeRows(() => ctx, tolerance);

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
        agrees(tolerance, grid, totals, bruteForce(grid, 2, { rows: every, others: every }));
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
      const three = { central: rows, neighbors: rows, starts: rows };
      expect(() => pairsOf(1, three)).toThrow(
        'one number more than there are central particles (2)',
      );
      expect(() => pairsOf(Number.POSITIVE_INFINITY, false)).toThrow('rcut is Infinity');
      const whole = neighborhoodFunctor({ name: 'whole', central: { ep: 'real' } }, (i, b) => {
        i.ep += b.count;
      });
      expect(() => computeCellParticlePairs(grid, whole, ctx, { rcut: 1, allPairs: true })).toThrow(
        'looks at whole neighborhoods',
      );
      for (const thing of [grid, reals, rows]) thing.free();
    });

    it('say how they are met', () => {
      const decision = explain(mutual, ctx, { allPairs: true });
      expect(decision).toMatchObject({ backend: machine.backend, form: 'all_pairs' });
      expect(decision.reason).toContain('without lists');
    });
  });
}
