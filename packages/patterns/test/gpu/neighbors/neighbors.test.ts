import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor } from '@corpuscle/functor';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { fccPositions, gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { readDeviceLists } from '../../support/deviceLists.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

type Listed = Awaited<ReturnType<typeof readDeviceLists>>[number];

const count = pairFunctor({ name: 'count', central: { ep: 'real' } }, (i, _j, d) => {
  if (d.r2 < 4) i.ep += 1;
});

/** Takes particles as far as they may go without a sort: a quarter of the box. */
const drift = cellFunctor(
  {
    name: 'drift',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    params: { x: 'real', y: 'real', z: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const part = 64 * i.rx - Math.floor(64 * i.rx);
    const side = part > 0.5 ? 1 : -1;
    i.rx += side * p.x;
    i.ry -= side * p.y;
    i.rz += side * p.z;
  },
);

describeGpu('neighbor lists on WebGPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  const listed = (grid: Grid) => readDeviceLists(engineOf(ctx), grid);

  /** How candidates are read: as positions, packed as those of many particles, or by the threads that share one of few. */
  const forms = ['whole', 'packed', 'shared'] as const;
  const search = (form: (typeof forms)[number]): void => {
    const { builder } = engineOf(ctx).neighbors;
    builder.packFrom = form === 'packed' ? 0 : Infinity;
    builder.shareUpTo = form === 'shared' ? Infinity : 0;
  };
  afterEach(() => search('whole'));

  /**
   * Brute force within `inner` ⊆ listed ⊆ brute force within `outer`: f32 decides what lies in between. Packed, a cell has
   * 65,535 units and is at most two radii wide, so a unit is 3.1e-5 radii. Lists reach 3 units farther, and each of three
   * differences is off by one unit at most: 3 + √3 units are less than 1.5e-4 radii.
   */
  async function expectExact(grid: Grid, inner: number, outer: number): Promise<void> {
    await newestOnHost(grid, ctx);
    const isPacked = engineOf(ctx).neighbors.builder.packFrom === 0;
    const keyOf = ({ i, j, image }: Listed) => (i * grid.count + j) * 1024 + image;
    const pairs = await listed(grid);
    const others = new Map(pairs.map((pair) => [keyOf(pair), pair]));
    expect(others.size).toBe(pairs.length);
    const missing: Listed[] = [];
    for (const pair of bruteForcePairs(grid, outer * (isPacked ? 1 + 1.5e-4 : 1)))
      if (!others.delete(keyOf(pair)) && pair.r2 < inner * inner) missing.push(pair);
    expect(missing).toEqual([]);
    expect([...others.values()]).toEqual([]);
  }

  it.each(runs([8], [32]))(
    'are those of brute force where they are built in place (%i threads)',
    async (lanes) => {
      const { gpu, neighbors } = engineOf(ctx);
      const next = sequence(7);
      const all = [true, true, true] as const;
      for (const [matrix, periodic] of [
        [[7, 0, 0, 0, 8, 0, 0, 0, 9], all],
        [[8, 0, 0, 2, 8, 0, -1, 3, 9], all],
        // So wide that workgroups leave out what is far.
        [[11, 0, 0, 0, 13, 0, 0, 0, 12], all],
        // Open along some axes, thinner than lists reach along one of them.
        [
          [3, 0, 0, 0, 8, 0, 0, 0, 40],
          [false, true, false],
        ],
        [
          [12, 0, 0, 0, 12, 0, 0, 0, 12],
          [false, false, false],
        ],
        [
          [8, 0, 0, 2, 3, 0, -1, 3, 20],
          [true, false, false],
        ],
      ] as const) {
        const domain = Domain.triclinic(matrix, { periodic });
        const places = Array.from({ length: domain.volume > 1000 ? 2400 : 700 }, () =>
          domain.toCartesian(next(), next(), next()),
        );
        const grid = gridOf(ctx.heap, domain, places);
        await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.5 });
        neighbors.builder.inPlace.upTo = Infinity;
        expect(neighbors.mostInPlace(grid, lanes)).toBeGreaterThan(2);
        neighbors.builder.inPlace.upTo = 0;
        const records = gpu.buffer('records', 64);
        const before = (await listed(grid)).length;
        neighbors.recordInPlace(grid, records, 0, lanes);
        await expectExact(grid, 2.5 - 1e-4, 2.5 + 1e-4);
        expect((await listed(grid)).length).toBeGreaterThan(0.99 * before);
        const [x, y, z] = domain.heights.map((height) => 0.24 * height) as [number, number, number];
        computeCellParticles(grid, drift, ctx, { params: { x, y, z } });
        neighbors.recordInPlace(grid, records, 0, lanes);
        await expectExact(grid, 2.5 - 1e-4, 2.5 + 1e-4);
        records.destroy();
        grid.free();
      }
    },
  );

  itOnce('lists 78 N pairs within 2.8 in an fcc crystal of density 0.8442', async () => {
    const { length, positions } = fccPositions(6, 0.8442);
    const grid = gridOf(ctx.heap, Domain.orthorhombic([length, length, length]), positions);
    await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
    expect((await listed(grid)).length).toBe(78 * positions.length);
    grid.free();
  });

  const coordinate = fc.double({ min: -0.6, max: 1.6, noNaN: true });
  const fraction = fc.oneof(
    { weight: 5, arbitrary: coordinate },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 0.5, 1 - 2 ** -53, -(2 ** -60), 2 / 3) },
    { weight: 2, arbitrary: fc.double({ min: 0.5, max: 0.52, noNaN: true }) }, // a cluster
  );
  const places = fc.array(fc.tuple(fraction, fraction, fraction), { minLength: 1, maxLength: 60 });
  const length = fc.double({ min: 2, max: 14, noNaN: true });
  const skew = fc.double({ min: -6, max: 6, noNaN: true });
  const boxes = fc.record({
    lengths: fc.tuple(length, length, length),
    skews: fc.oneof(fc.constant([0, 0, 0] as [number, number, number]), fc.tuple(skew, skew, skew)),
    periodic: fc.oneof(
      fc.constant([true, true, true] as [boolean, boolean, boolean]),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    ),
    origin: fc.tuple(skew, skew, skew),
    share: fc.oneof(fc.constant(1), fc.double({ min: 0.2, max: 1, noNaN: true })),
    skin: fc.double({ min: 0, max: 2, noNaN: true }),
  });

  it.each(forms)(
    'hold exactly the pairs of brute force, in any box (candidates %s)',
    async (form) => {
      search(form);
      const property = fc.asyncProperty(boxes, places, async (box, fractions) => {
        const { lengths, skews, periodic, origin, share, skin } = box;
        const [xy, xz, yz] = skews;
        const matrix = [lengths[0], 0, 0, xy, lengths[1], 0, xz, yz, lengths[2]];
        const domain = Domain.triclinic(matrix, { periodic, origin });
        const widths = domain.heights.filter((_, axis) => periodic[axis]);
        const rcut = share * (widths.length > 0 ? Math.min(...widths) / 2 : 3);
        const before = fractions.map((s) => domain.toCartesian(...s));
        const grid = gridOf(ctx.heap, domain, before);
        await updateNeighbors(grid, ctx, { rcut, skin });
        const radius = Math.min(rcut + skin, ...widths.map((w) => w * (1 - 1e-4)));
        // 1e-5: positions of f32, in boxes of up to some 30.
        await expectExact(grid, radius - 1e-5, radius + 1e-5);
        // Every particle is still there, moved by whole lattice vectors along periodic axes only.
        const ids = grid.values('id');
        expect(Array.from(ids).sort((a, b) => a - b)).toEqual([...before.keys()]);
        const coordinates = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
        ids.forEach((id, row) => {
          const moved = coordinates.map((values, k) => values[row]! - before[id]![k]!);
          const s = domain.toFractional(
            moved[0]! + origin[0],
            moved[1]! + origin[1],
            moved[2]! + origin[2],
          );
          s.forEach((value, axis) => {
            const whole = periodic[axis] ? Math.round(value) : 0;
            expect(Math.abs(value - whole)).toBeLessThan(1e-5);
          });
        });
        grid.free();
      });
      await fc.assert(property, { numRuns: runs(12, 50) });
    },
    120_000,
  );

  it.each(forms)(
    'hold exactly the pairs of brute force in boxes with tilts of 20 (candidates %s)',
    async (form) => {
      search(form);
      const next = sequence(20);
      const side = () => 3 + 9 * next();
      const tilt = () => (next() < 0.5 ? -20 : 20) * (0.9 + 0.1 * next());
      let pairs = 0;
      for (let k = 0; k < runs(4, 15); k++) {
        const matrix = [side(), 0, 0, tilt(), side(), 0, tilt(), tilt(), side()];
        const domain = Domain.triclinic(matrix);
        const places = Array.from({ length: 300 }, () =>
          domain.toCartesian(next(), next(), next()),
        );
        const grid = gridOf(ctx.heap, domain, places);
        const rcut = (0.3 + 0.2 * next()) * Math.min(...domain.heights);
        await updateNeighbors(grid, ctx, { rcut, skin: 0 });
        await expectExact(grid, rcut - 2e-5, rcut + 2e-5); // positions of f32, in boxes of up to some 50
        pairs += (await listed(grid)).length;
        grid.free();
      }
      expect(pairs).toBeGreaterThan(100);
    },
    120_000,
  );

  itOnce.each(forms)(
    'are exact for rcut of half the box with one, two and three cells an axis (candidates %s)',
    async (form) => {
      search(form);
      for (const sides of [
        [4, 4, 4],
        [4, 8, 12],
        [8, 8, 8],
        [4, 30, 4],
      ] as const) {
        const next = sequence(sides[0] + 10 * sides[1]);
        const positions = Array.from(
          { length: 90 },
          () => [sides[0] * next(), sides[1] * next(), sides[2] * next()] as const,
        );
        const grid = gridOf(ctx.heap, Domain.orthorhombic(sides), positions);
        const half = Math.min(...sides) / 2;
        await updateNeighbors(grid, ctx, { rcut: half, skin: 0.25 });
        await expectExact(grid, half + 0.25 - 1e-5, half + 0.25 + 1e-5);
        grid.free();
      }
    },
  );

  it.each(runs(forms.slice(0, 2), forms.slice(2)))(
    'are exact where a particle has more candidates than a thread keeps bits of (candidates %s)',
    async (form) => {
      search(form);
      const next = sequence(11);
      const positions = Array.from(
        { length: 800 },
        () => [6 * next(), 6 * next(), 6 * next()] as const,
      );
      const grid = gridOf(ctx.heap, Domain.orthorhombic([6, 6, 6]), positions);
      await updateNeighbors(grid, ctx, { rcut: 2.6, skin: 0.3 });
      await expectExact(grid, 2.9 - 1e-5, 2.9 + 1e-5);
      grid.free();
    },
  );

  itOnce.each(forms)('lose no pair in a very long box (candidates %s)', async (form) => {
    search(form);
    const next = sequence(12);
    const positions = Array.from(
      { length: 200 },
      () => [2990 + 20 * next(), 7 * next(), 7 * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([3000, 7, 7]), positions);
    await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
    // Beyond 2^24 units of 16 bits a cell, floats leave whole numbers out.
    await expectExact(grid, 2.8 - 1e-5, 2.8 + 5e-3);
    grid.free();
  });

  itOnce('are split where they exceed one buffer, and give the same sums', async () => {
    const next = sequence(5);
    const positions = Array.from(
      { length: 1500 },
      () => [12 * next(), 12 * next(), 12 * next()] as const,
    );
    const { builder } = engineOf(ctx).neighbors;
    const whole = builder.mostBytes;
    const sums = [];
    for (const mostBytes of [whole, 80_000]) {
      builder.mostBytes = mostBytes;
      const grid = gridOf(ctx.heap, Domain.orthorhombic([12, 12, 12]), positions);
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
      await expectExact(grid, 2.3 - 1e-5, 2.3 + 1e-5);
      const { ep } = await computeCellParticlePairs(grid, count, ctx, {
        rcut: 2,
        params: {},
        outputs: { ep: 'both' },
      });
      const { chunks } = engineOf(ctx).neighbors.lists(grid)!;
      expect(chunks.length).toBe(mostBytes === whole ? 1 : 6);
      await newestOnHost(grid, ctx, ['ep']);
      sums.push([ep, grid.values('ep').reduce((sum, value) => sum + value)]);
      grid.free();
    }
    builder.mostBytes = whole;
    expect(sums[1]).toEqual(sums[0]);
    expect(sums[0]![0]).toBe(sums[0]![1]);
    expect(sums[0]![0]).toBeGreaterThan(1500);
  });

  it('made without waiting reach up to a tenth of the skin farther, as far as cells across are wide', async () => {
    // Fewer particles have cells of another width.
    const count = 66_000;
    for (const edge of runs([62], [60, 61, 62, 63, 64])) {
      const place = (k: number) => (edge * (k % 41)) / 41;
      const positions = Array.from(
        { length: count },
        (_, k) => [place(k), place(Math.floor(k / 41)), place(Math.floor(k / 41 ** 2))] as const,
      );
      const domain = Domain.orthorhombic([edge, edge, edge]);
      const grid = gridOf(ctx.heap, domain, positions);
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3, ahead: true });
      const { effectiveSkin } = engineOf(ctx).neighbors.lists(grid)!;
      const across = edge / Math.floor(edge / (2.8 * (1 + 2e-4)));
      expect(effectiveSkin).toBeCloseTo(Math.min(0.33, across - 2.5), 2);
      grid.free();
    }
  });

  itOnce(
    'reach half as far again where they may be built in place and the box allows',
    async () => {
      const { inPlace } = engineOf(ctx).neighbors.builder;
      const next = sequence(11);
      inPlace.upTo = Infinity;
      for (const [edge, skin] of [
        [9, 0.75],
        [5.5, 5.5 / 2.001 - 2],
        [4.9, 0.5],
      ] as const) {
        const places = Array.from({ length: 300 }, () => [next(), next(), next()] as const);
        const domain = Domain.orthorhombic([edge, edge, edge]);
        const positions = places.map(([x, y, z]) => [edge * x, edge * y, edge * z] as const);
        const grid = gridOf(ctx.heap, domain, positions);
        await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.5 });
        const { effectiveSkin } = engineOf(ctx).neighbors.lists(grid)!;
        expect(effectiveSkin).toBeCloseTo(skin, 6);
        await expectExact(grid, 2 + skin - 1e-4, 2 + skin + 1e-4);
        grid.free();
      }
      inPlace.upTo = 0;
    },
  );
});
