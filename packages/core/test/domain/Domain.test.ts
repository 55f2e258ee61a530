import { CorpuscleError } from '@corpuscle/functor/error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Domain } from '../../src/domain/Domain.js';
import { imageCount, imageIndex, imageOffsets } from '../../src/domain/images.js';

const code = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof CorpuscleError) return error.code;
    throw error;
  }
  return 'none';
};

const number = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
/** Lower triangular cells with tilts of several box lengths, turned by a random rotation. */
const cell = fc
  .tuple(
    fc.array(number(1, 10), { minLength: 3, maxLength: 3 }),
    fc.array(number(-25, 25), { minLength: 3, maxLength: 3 }),
    number(0, 6.28),
    number(0, 6.28),
  )
  .map(([l, t, alpha, beta]) =>
    [
      [l[0]!, 0, 0],
      [t[0]!, l[1]!, 0],
      [t[1]!, t[2]!, l[2]!],
    ].flatMap((v) => rotate(v, alpha, beta)),
  );
const flags = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
const point = fc.tuple(number(-30, 30), number(-30, 30), number(-30, 30));

function rotate(v: readonly number[], alpha: number, beta: number): number[] {
  const [x, y, z] = v as [number, number, number];
  const [x1, y1] = [
    x * Math.cos(alpha) - y * Math.sin(alpha),
    x * Math.sin(alpha) + y * Math.cos(alpha),
  ];
  return [x1, y1 * Math.cos(beta) - z * Math.sin(beta), y1 * Math.sin(beta) + z * Math.cos(beta)];
}

/** Shortest image by trying every lattice vector that can matter: |k| ≤ |d| / height + 1. */
function bruteForce(domain: Domain, d: readonly number[]): number {
  const m = domain.matrix;
  const length = Math.hypot(...d);
  const reach = domain.periodic.map((p, k) =>
    p ? Math.ceil((2 * length) / domain.heights[k]!) : 0,
  );
  let best = Infinity;
  for (let a = -reach[0]!; a <= reach[0]!; a++)
    for (let b = -reach[1]!; b <= reach[1]!; b++)
      for (let c = -reach[2]!; c <= reach[2]!; c++)
        best = Math.min(
          best,
          Math.hypot(
            d[0]! + a * m[0]! + b * m[3]! + c * m[6]!,
            d[1]! + a * m[1]! + b * m[4]! + c * m[7]!,
            d[2]! + a * m[2]! + b * m[5]! + c * m[8]!,
          ),
        );
  return best;
}

describe('Domain', () => {
  it('finds the true nearest image in any skewed cell, any axes periodic', () => {
    const near = fc.tuple(number(-6, 6), number(-6, 6), number(-6, 6));
    fc.assert(
      fc.property(cell, flags, near, (matrix, periodic, d) => {
        // Heights are only full widths when all axes repeat, so open axes keep the search finite through the same bound.
        const domain = Domain.triclinic(matrix, { periodic });
        fc.pre(domain.heights.every((h) => h > 0.3));
        const found = Math.hypot(...domain.minimumImage(...d));
        expect(found).toBeCloseTo(bruteForce(domain, d), 9);
      }),
      { numRuns: 400 },
    );
  });

  it('shifts by whole lattice vectors along periodic axes only', () => {
    fc.assert(
      fc.property(cell, flags, point, (matrix, periodic, d) => {
        const domain = Domain.triclinic(matrix, { periodic });
        const image = domain.minimumImage(...d);
        const s = domain.toFractional(d[0] - image[0], d[1] - image[1], d[2] - image[2]);
        s.forEach((value, k) => {
          expect(value).toBeCloseTo(periodic[k] ? Math.round(value) : 0, 7);
        });
      }),
    );
  });

  it('reverses fractional coordinates, and wraps inside', () => {
    fc.assert(
      fc.property(cell, point, point, (matrix, origin, r) => {
        const domain = Domain.triclinic(matrix, { origin });
        const back = domain.toCartesian(...domain.toFractional(...r));
        back.forEach((value, k) => {
          expect(value).toBeCloseTo(r[k]!, 8);
        });
        for (const s of domain.toFractional(...domain.wrap(...r))) {
          expect(s).toBeGreaterThan(-1e-9);
          expect(s).toBeLessThan(1 + 1e-9);
        }
      }),
    );
  });

  it('measures perpendicular widths: |det| / area of the opposite face', () => {
    const domain = Domain.triclinic([10, 0, 0, 5, 8, 0, 0, 0, 4]);
    expect(domain.volume).toBe(320);
    expect(domain.heights[0]).toBeCloseTo(320 / (4 * Math.hypot(5, 8)), 12);
    expect(domain.heights[1]).toBeCloseTo(8, 12);
    expect(domain.heights[2]).toBeCloseTo(4, 12);
    expect(domain.isOrthorhombic).toBe(false);
  });

  it('numbers images with a fastest, 13 in the middle', () => {
    const domain = Domain.orthorhombic([2, 3, 5]);
    expect(domain.image(13)).toEqual([0, 0, 0]);
    expect(domain.image(14)).toEqual([2, 0, 0]);
    expect(domain.image(16)).toEqual([0, 3, 0]);
    expect(domain.image(0)).toEqual([-2, -3, -5]);
    expect(code(() => domain.image(-1))).toBe('INDEX_OUT_OF_RANGE');
  });

  it('numbers farther images shell by shell', () => {
    expect(imageOffsets(27)).toEqual([-2, -2, -2]);
    expect(imageOffsets(124)).toEqual([2, 2, 2]);
    expect(imageCount([1, 3, 2])).toBe(343);
    const seen = new Set<string>();
    for (let k = 0; k < 343; k++) {
      expect(imageIndex(...imageOffsets(k))).toBe(k);
      seen.add(imageOffsets(k).join(' '));
    }
    expect(seen.size).toBe(343);
    expect(Domain.orthorhombic([2, 3, 5]).image(imageIndex(2, 0, -1))).toEqual([4, 0, -5]);
  });

  it('reaches over several boxes', () => {
    const domain = Domain.orthorhombic([2, 8, 3], { periodic: [true, true, false] });
    expect(domain.imageReach(4.5)).toEqual([3, 1, 0]);
    expect(domain.widestRadius(1)).toBe(2);
    expect(domain.widestRadius(2.5)).toBe(6);
    expect(code(() => domain.checkReach(30))).toBe('none');
    expect(code(() => domain.checkReach(31))).toBe('BOX_TOO_THIN');
    expect(code(() => domain.checkReach(0))).toBe('INVALID_VALUE');
  });

  it('allows rcut up to half the width of periodic axes', () => {
    const domain = Domain.orthorhombic([8, 10, 2], { periodic: [true, true, false] });
    expect(code(() => domain.checkCutoff(4))).toBe('none');
    expect(code(() => domain.checkCutoff(4.0001))).toBe('BOX_TOO_THIN');
    expect(code(() => domain.checkCutoff(Number.NaN))).toBe('INVALID_VALUE');
    expect(code(() => Domain.open().checkCutoff(100))).toBe('none');
  });

  it('takes left-handed cells and boxes off the origin', () => {
    const domain = Domain.triclinic([0, 4, 0, 4, 0, 0, 0, 0, 4], { origin: [1, 2, 3] });
    expect(domain.volume).toBe(64);
    expect(domain.toFractional(1, 4, 3)).toEqual([0.5, 0, 0]);
    expect(domain.minimumImage(3, 0, 0)).toEqual([-1, 0, 0]);
  });

  it.each([
    ['NaN', [Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['infinity', [Infinity, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['a plane', [1, 0, 0, 0, 1, 0, 1, 1, 0]],
    ['zero', [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['eight numbers', [1, 0, 0, 0, 1, 0, 0, 0]],
  ])('refuses %s as a matrix', (_, matrix) => {
    expect(code(() => Domain.triclinic(matrix))).toBe('INVALID_VALUE');
  });

  it('refuses lengths that are not positive', () => {
    expect(code(() => Domain.orthorhombic([1, -1, 1]))).toBe('INVALID_VALUE');
    expect(code(() => Domain.orthorhombic([0, 1, 1]))).toBe('INVALID_VALUE');
  });

  it('gives open domains a volume even for flat bounds', () => {
    const domain = Domain.open({ lower: [0, 0, 1], upper: [2, 2, 1] });
    expect(domain.volume).toBe(4);
    expect(domain.minimumImage(9, 9, 9)).toEqual([9, 9, 9]);
  });
});
