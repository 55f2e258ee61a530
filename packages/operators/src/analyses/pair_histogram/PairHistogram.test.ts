import { Domain, Grid, imageCount, imageOffsets } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { PairHistogram } from './PairHistogram.js';
import { TilePairs } from './TilePairs.js';

/** Particles of two types, some of them outside of the box. */
function gridOf(ctx: ExecutionContext, domain: Domain, count: number): Grid {
  let seed = 11;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const grid = new Grid(ctx.heap, domain);
  grid.resize(count);
  const r = grid.block('position').array as Float64Array;
  for (let k = 0; k < count; k++) {
    const place = [random(), random(), random()].map((s) => 1.4 * s - 0.2);
    r.set(domain.toCartesian(place[0]!, place[1]!, place[2]!), 4 * k);
    (grid.block('type').array as Uint32Array)[k] = k % 3 === 0 ? 1 : 0;
    (grid.block('id').array as BigUint64Array)[k] = BigInt(k);
  }
  for (const name of ['position', 'type', 'id']) grid.block(name).hostWritten();
  return grid;
}

const known = new Map<string, number[][]>();

/** A·A, A·B and B·B, each pair once, at all images in reach; counted once for each system and cutoff. */
function bruteForce(grid: Grid, rcut: number, bins: number): number[][] {
  const { matrix, periodic } = grid.domain;
  const key = [matrix, periodic, grid.count, rcut, bins].join(' ');
  const counts = known.get(key) ?? countPairs(grid, rcut, bins);
  known.set(key, counts);
  return counts;
}

function countPairs(grid: Grid, rcut: number, bins: number): number[][] {
  const r = grid.block('position').array as Float64Array;
  const type = grid.block('type').array as Uint32Array;
  const counts = [0, 1, 2].map(() => new Array<number>(bins).fill(0));
  const { domain } = grid;
  const reach = domain.imageReach(rcut);
  const isThin = domain.heights.some((height, k) => domain.periodic[k] && rcut > height / 2);
  // The nearest image alone, or all around it; the first is the particle's own.
  const images = Array.from({ length: isThin ? imageCount(reach) : 0 }, (_, k) => k).filter(
    (k) => k !== 13 && imageOffsets(k).every((n, axis) => Math.abs(n) <= reach[axis]!),
  );
  const shifts = [[0, 0, 0], ...images.map((k) => domain.image(k))];
  for (let i = 0; i < grid.count; i++)
    for (let j = 0; j <= i; j++) {
      const [x, y, z] = [0, 1, 2].map((k) => r[4 * i + k]! - r[4 * j + k]!);
      const near = domain.minimumImage(x!, y!, z!);
      shifts.forEach((shift, n) => {
        if (i === j && n === 0) return;
        const distance = Math.hypot(near[0] + shift[0]!, near[1] + shift[1]!, near[2] + shift[2]!);
        // A particle meets itself at an image and at the opposite one.
        const count = i === j ? 0.5 : 1;
        if (distance < rcut)
          counts[type[i]! + type[j]!]![Math.floor((distance / rcut) * bins)]! += count;
      });
    }
  return counts;
}

const boxes: [string, Domain, readonly number[]][] = [
  ['a long box', Domain.orthorhombic([6, 8, 30]), [0.7, 3]],
  ['a skewed box', Domain.triclinic([9, 0, 0, 4, 8, 0, -3, 3.5, 7]), [1.1, 2.9]],
  [
    'a slab',
    Domain.orthorhombic([7, 7, 5], { periodic: [true, true, false], origin: [1, -2, 3] }),
    [1.5, 3.5],
  ],
  ['a box thinner than the cutoff', Domain.orthorhombic([6, 2.5, 3]), [2, 3.4]],
  ['the open', Domain.open({ lower: [0, 0, 0], upper: [9, 9, 9] }), [2, 20]],
];

describe('a histogram of pairs', () => {
  it.each(boxes)('is that of brute force in %s', async (_, domain, cutoffs) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = gridOf(ctx, domain, domain.volume < 100 ? 60 : 700);
    const histogram = new PairHistogram(ctx, { types: 2, kinds: [0, 1, 1, 2], bins: 37 });
    for (const rcut of [...cutoffs, ...cutoffs]) {
      const counts = await histogram.count(grid, rcut);
      expect(counts.map((of) => [...of])).toEqual(bruteForce(grid, rcut, 37));
    }
    histogram.close();
    grid.free();
  });

  it('is the same on a device, where lanes share the pairs', async () => {
    await using ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
    const domain = Domain.orthorhombic([6, 7, 9]);
    const grid = gridOf(ctx, domain, 500);
    const histogram = new PairHistogram(ctx, { types: 2, kinds: [0, -1, -1, 1], bins: 80 });
    const [aa, bb] = await histogram.count(grid, 2.5);
    const expected = bruteForce(grid, 2.5, 80);
    // A distance that single precision puts into the next bin: within one of its neighbors' counts.
    const running = (counts: ArrayLike<number>) => {
      let sum = 0;
      return Array.from(counts, (count) => (sum += count));
    };
    for (const [found, exact] of [
      [aa!, expected[0]!],
      [bb!, expected[2]!],
    ] as const)
      running(found).forEach((count, bin) => {
        expect(Math.abs(count - running(exact)[bin]!)).toBeLessThanOrEqual(1);
      });
    histogram.close();
    grid.free();
  });

  it.each(boxes.filter(([, domain]) => domain.periodic.every(Boolean)))(
    'is that of brute force by tiles on a device, over several frames, in %s',
    async (_, domain, cutoffs) => {
      await using ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
      const grid = gridOf(ctx, domain, domain.volume < 100 ? 60 : 700);
      for (const rcut of cutoffs) {
        const options = { types: 2, kinds: [0, 1, 1, -1], bins: 37 };
        const tiles = new TilePairs(ctx, options);
        await tiles.add(grid, rcut);
        await tiles.add(grid, rcut);
        const frames = await tiles.take();
        expect(frames.map(({ volume }) => volume)).toEqual([domain.volume, domain.volume]);
        expect([...frames[0]!.numbers]).toEqual([
          grid.count - Math.ceil(grid.count / 3),
          Math.ceil(grid.count / 3),
        ]);
        expect(frames[1]!.counts).toEqual(frames[0]!.counts);
        expect(await tiles.take()).toEqual([]);
        const exact = bruteForce(grid, rcut, 37);
        frames[0]!.counts.forEach((counts, kind) => {
          let [found, expected] = [0, 0];
          counts.forEach((count, bin) => {
            found += count;
            expected += exact[kind]![bin]!;
            // A distance that single precision puts into the next bin.
            expect(Math.abs(found - expected)).toBeLessThanOrEqual(1);
          });
        });
        tiles.close();
      }
      grid.free();
    },
  );
});
