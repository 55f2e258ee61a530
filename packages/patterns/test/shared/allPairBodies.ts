import { Domain, Grid } from '@corpuscle/core';
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
  pairFunctor,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const outputs = {
  fx: 'particles',
  fy: 'particles',
  fz: 'particles',
  ep: 'both',
  w: 'total',
} as const;
const spec = {
  central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real', w: 'real' },
  read: { charge: 'real' },
  neighbour: { charge: 'real' },
  params: { k: 'real' },
} as const;

/** A smooth force between charges. */
const mutual = pairFunctor({ name: 'mutual', ...spec, traits: { newton3: true } }, (i, j, d, p) => {
  const g = p.k * i.charge * j.charge * Math.exp(-d.r2);
  i.fx += g * d.x;
  i.fy += g * d.y;
  i.fz += g * d.z;
  i.ep += g;
  i.w += g * d.r2;
});
/** The same, but only what the central particle receives. */
const oneSided = pairFunctor({ name: 'one_sided', ...spec }, (i, j, d, p) => {
  const g = p.k * i.charge * j.charge * Math.exp(-d.r2);
  i.fx += g * d.x;
  i.fy += g * d.y;
  i.fz += g * d.z;
  i.ep += g;
  i.w += g * d.r2;
});

const boxes = {
  orthorhombic: Domain.orthorhombic([3, 3.5, 4], { origin: [-1, 2, 0.5] }),
  slab: Domain.orthorhombic([3, 3.5, 4], { periodic: [true, true, false] }),
  'far from reduced': Domain.triclinic([3, 0, 0, 5.7, 2.6, 0, -4.1, 7.7, 2.4]),
  'truncated octahedron': Domain.triclinic([3, 0, 0, 1, 2.83, 0, -1, 1.41, 2.45]),
  'skewed, open along b': Domain.triclinic([3, 0, 0, 1, 3, 0, 0.5, 1, 3.2], {
    periodic: [true, false, true],
  }),
  open: Domain.open({ lower: [0, 0, 0], upper: [3, 3, 3] }),
} as const;

/** Particles in and near a domain, in no order, with charges. */
export function particles(ctx: ExecutionContext, domain: Domain, count: number): Grid {
  const grid = new Grid(ctx.heap, domain);
  grid.resize(count);
  const r = grid.block('position').array as Float64Array;
  const q = grid.block('charge').array as Float64Array;
  const id = grid.block('id').array as BigUint64Array;
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let k = 0; k < count; k++) {
    // Some lie outside the box, two at one place.
    const s = [random(), random(), random()].map((x) => x * 1.2 - 0.1);
    const at = k === 5 ? Array.from(r.subarray(16, 19)) : domain.toCartesian(s[0]!, s[1]!, s[2]!);
    r.set(at, 4 * k);
    q[k] = 0.5 + random();
    id[k] = BigInt(k);
  }
  for (const name of ['position', 'charge', 'id']) grid.block(name).hostWritten();
  return grid;
}

/** Sums over pairs by the definition: what each of `rows` gets from `others`. */
function bruteForce(
  grid: Grid,
  rcut: number,
  { images = true, rows, others }: { images?: boolean; rows: number[]; others: number[] },
) {
  const r = grid.block('position').array as Float64Array;
  const q = grid.block('charge').array as Float64Array;
  const field = new Float64Array(4 * grid.count);
  let [ep, w] = [0, 0];
  for (const i of rows)
    for (const j of others) {
      if (i === j) continue;
      let d = [0, 1, 2].map((axis) => r[4 * i + axis]! - r[4 * j + axis]!);
      if (images) d = grid.domain.minimumImage(d[0]!, d[1]!, d[2]!);
      const r2 = d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2;
      if (!(r2 < rcut * rcut)) continue;
      const g = 0.3 * q[i]! * q[j]! * Math.exp(-r2);
      for (let axis = 0; axis < 3; axis++) field[4 * i + axis]! += g * d[axis]!;
      field[4 * i + 3]! += g;
      ep += g;
      w += g * r2;
    }
  return { field, ep, w };
}

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
      expect(() => pairsOf(Number.POSITIVE_INFINITY, false)).toThrow('rcut is Infinity');
      const whole = neighbourhoodFunctor({ name: 'whole', central: { ep: 'real' } }, (i, b) => {
        i.ep += b.count;
      });
      expect(() => computeCellParticlePairs(grid, whole, ctx, { rcut: 1, allPairs: true })).toThrow(
        'looks at whole neighbourhoods',
      );
      for (const thing of [grid, reals]) thing.free();
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
