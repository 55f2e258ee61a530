import { philox4x32 } from '@corpuscle/functor/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gaussianPair, randomStream, uniform } from '../../src/random/philox.js';

const N = 200_000;

describe('Philox4x32-10', () => {
  // Random123 1.14, tests/kat_vectors, lines "philox4x32 10".
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ] as const)('gives the known answer for counter %j', (counter, key, expected) => {
    expect([...philox4x32(counter, key)]).toEqual([...expected]);
  });

  it('agrees with 64-bit integer arithmetic for any counter and key', () => {
    const u32 = fc.integer({ min: 0, max: 0xffffffff });
    fc.assert(
      fc.property(fc.tuple(u32, u32, u32, u32), fc.tuple(u32, u32), (counter, key) => {
        expect([...philox4x32(counter, key)]).toEqual(reference(counter, key));
      }),
    );
  });

  it('is uniform: mean 1/2, variance 1/12, ten equal bins, no correlation of neighbors', () => {
    let within = 0;
    let sum = 0;
    let square = 0;
    let product = 0;
    let previous = 0.5;
    const bins = new Array<number>(10).fill(0);
    for (let k = 0; k < N; k++) {
      const u = uniform(12345, 7, k);
      if (u >= 0 && u < 1) within++;
      sum += u;
      square += (u - 0.5) ** 2;
      product += (u - 0.5) * (previous - 0.5);
      previous = u;
      bins[Math.floor(10 * u)]!++;
    }
    expect(within).toBe(N);
    // Five standard errors each.
    expect(Math.abs(sum / N - 0.5)).toBeLessThan(5 / Math.sqrt(12 * N));
    expect(Math.abs(square / N - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / N));
    expect(Math.abs(product / N)).toBeLessThan(5 / 12 / Math.sqrt(N));
    const chi2 = bins.reduce((total, n) => total + (n - N / 10) ** 2 / (N / 10), 0);
    expect(chi2).toBeLessThan(34); // 9 degrees of freedom, p = 1e-4
  });

  it('is normal: moments 0, 1, 0, 3, and the pair is uncorrelated', () => {
    const m = [0, 0, 0, 0, 0];
    let cross = 0;
    for (let k = 0; k < N; k++) {
      const [a, b] = gaussianPair(99, randomStream('test'), k);
      for (const x of [a, b])
        for (let power = 1; power <= 4; power++) m[power]! += x ** power / (2 * N);
      cross += (a * b) / N;
    }
    expect(Math.abs(m[1]!)).toBeLessThan(5 / Math.sqrt(2 * N));
    expect(Math.abs(m[2]! - 1)).toBeLessThan(5 * Math.sqrt(2 / (2 * N)));
    expect(Math.abs(m[3]!)).toBeLessThan(5 * Math.sqrt(15 / (2 * N)));
    expect(Math.abs(m[4]! - 3)).toBeLessThan(5 * Math.sqrt(96 / (2 * N)));
    expect(Math.abs(cross)).toBeLessThan(5 / Math.sqrt(N));
  });

  it('uses all 53 bits of seed, stream and counter', () => {
    const base = uniform(1, 2, 3);
    for (const bit of [0, 31, 32, 52]) {
      expect(uniform(1 + 2 ** bit, 2, 3)).not.toBe(base);
      expect(uniform(1, 2 + 2 ** bit, 3)).not.toBe(base);
      expect(uniform(1, 2, 3 + 2 ** bit)).not.toBe(base);
    }
  });
});

function reference(counter: readonly number[], key: readonly number[]): number[] {
  let [c0, c1, c2, c3] = counter.map(BigInt) as [bigint, bigint, bigint, bigint];
  let [k0, k1] = key.map(BigInt) as [bigint, bigint];
  const mask = 0xffffffffn;
  for (let round = 0; round < 10; round++) {
    const p0 = 0xd2511f53n * c0;
    const p1 = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(p1 >> 32n) ^ c1 ^ k0, p1 & mask, (p0 >> 32n) ^ c3 ^ k1, p0 & mask];
    k0 = (k0 + 0x9e3779b9n) & mask;
    k1 = (k1 + 0xbb67ae85n) & mask;
  }
  return [c0, c1, c2, c3].map(Number);
}
