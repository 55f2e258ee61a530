import { Domain } from '@corpuscle/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import { Decomposition } from './Decomposition.js';
import { linksOf } from './links.js';

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const length = fc.double({ min: 3, max: 12, noNaN: true });
const tilt = fc.double({ min: -2, max: 2, noNaN: true });
const system = fc.record({
  lengths: fc.tuple(length, length, length),
  tilts: fc.tuple(tilt, tilt, tilt),
  periodic: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  points: fc.array(fc.tuple(unit, unit, unit), { minLength: 1, maxLength: 60 }),
  size: fc.integer({ min: 1, max: 9 }),
  reach: fc.double({ min: 0.5, max: 5, noNaN: true }),
});

it('every particle has one owner, whose brick it lies in', () => {
  fc.assert(
    fc.property(system, ({ lengths, periodic, points, size }) => {
      const domain = Domain.orthorhombic(lengths, { periodic });
      const decomposition = Decomposition.bisect(domain, Float64Array.from(points.flat()), size);
      expect(decomposition.bricks).toHaveLength(size);
      for (const s of points) {
        const { lower, upper } = decomposition.bricks[decomposition.ownerOf(...s)]!;
        for (let k = 0; k < 3; k++) {
          expect(s[k]).toBeGreaterThanOrEqual(lower[k]!);
          expect(s[k]).toBeLessThan(upper[k]!);
        }
      }
    }),
    { numRuns: runs(100, 2000) },
  );
});

const stray = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }));

it('each rank sees every image within reach of its particles, also of those that stray: as many pairs as by brute force', () => {
  fc.assert(
    fc.property(
      system,
      stray,
      ({ lengths: [a, b, c], tilts: [xy, xz, yz], periodic, points, size, reach }, far) => {
        const domain = Domain.triclinic([a, 0, 0, xy, b, 0, xz, yz, c], { periodic });
        const flat = Float64Array.from(points.flat());
        const decomposition = Decomposition.bisect(domain, flat, size);
        const { split } = decomposition;
        const owner = points.map((s) => decomposition.ownerOf(...s));
        // Somewhere beside where they were when they were divided.
        const places = points.map((s) =>
          s.map((x, k) => x + (far * (2 * ((7919 * x) % 1) - 1)) / domain.heights[k as 0 | 1 | 2]),
        );
        const most = [0, 1, 2].map((k) =>
          periodic[k] ? Math.ceil((reach + 2 * far) / domain.heights[k]!) + 1 : 0,
        );
        const isNear = (i: number, j: number, boxes: readonly number[]) => {
          const s = [0, 1, 2].map((k) => places[j]![k]! + boxes[k]! - places[i]![k]!);
          const [x, y, z] = domain.toCartesian(s[0]!, s[1]!, s[2]!);
          return Math.hypot(x, y, z) < reach;
        };
        const images = imagesUpTo(most);
        const pairs = new Set<string>();
        for (const [i] of points.entries())
          for (const [j] of points.entries())
            for (const boxes of images) {
              const isOwn = boxes.every((n, k) => n === 0 || !split[k]) && owner[i] === owner[j];
              if (!isOwn && isNear(i, j, boxes)) pairs.add(`${i} ${j} ${boxes}`);
            }
        const seen = new Set<string>();
        for (let rank = 0; rank < size; rank++)
          for (const link of linksOf(decomposition, domain, rank, reach, far))
            for (const [j, s] of places.entries()) {
              if (owner[j] !== rank) continue;
              if (s.some((one, k) => one < link.lower[k]! || one > link.upper[k]!)) continue;
              for (const [i] of points.entries())
                if (owner[i] === link.rank)
                  for (const boxes of images)
                    if (
                      boxes.every((n, k) => !split[k] || n === link.boxes[k]) &&
                      isNear(i, j, boxes)
                    ) {
                      const pair = `${i} ${j} ${boxes}`;
                      expect(seen.has(pair)).toBe(false); // never twice
                      seen.add(pair);
                    }
            }
        expect(seen).toEqual(pairs);
      },
    ),
    { numRuns: runs(60, 600) },
  );
});

function imagesUpTo([a, b, c]: readonly number[]): readonly (readonly number[])[] {
  const all: number[][] = [];
  for (let kc = -c!; kc <= c!; kc++)
    for (let kb = -b!; kb <= b!; kb++) for (let ka = -a!; ka <= a!; ka++) all.push([ka, kb, kc]);
  return all;
}

it('particles anywhere are divided to within one', () => {
  const domain = Domain.orthorhombic([10, 20, 30]);
  let state = 1;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const points = Float64Array.from({ length: 3 * 7001 }, () => random() ** 2);
  for (const size of [2, 3, 5, 8]) {
    const decomposition = Decomposition.bisect(domain, points, size);
    const counts = new Array<number>(size).fill(0);
    for (let k = 0; k < 7001; k++)
      counts[decomposition.ownerOf(points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!)]!++;
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(size);
  }
});

it('the division is by weights, not by numbers of particles', () => {
  const domain = Domain.orthorhombic([1, 1, 1]);
  const points = Float64Array.from({ length: 3 * 300 }, (_, k) => (k % 3 === 0 ? k / 900 : 0.5));
  const weights = Float64Array.from({ length: 300 }, (_, k) => (k < 100 ? 4 : 1));
  const { bricks } = Decomposition.bisect(domain, points, 2, weights);
  expect(bricks[0]!.upper[0]).toBeCloseTo(0.25, 2); // 75 × 4 = 25 × 4 + 200
});

it('a crystal is cut between its layers', () => {
  const domain = Domain.orthorhombic([4, 1, 1]);
  const points = Float64Array.from({ length: 3 * 40 }, (_, k) =>
    k % 3 === 0 ? Math.floor(k / 30) / 4 : 0.25,
  );
  const { bricks, split } = Decomposition.bisect(domain, points, 2);
  expect(split).toEqual([true, false, false]);
  expect(bricks[0]!.upper[0]).toBe(0.375);
});
