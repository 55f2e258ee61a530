import { expect, it } from 'vitest';
import { logRatioSlope, mean } from '../support/ensembleStatistics.js';

/** Evenly distributed numbers that look random: xorshift. */
function uniform(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return ((x >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Potential energies of 60 harmonic oscillators that forget by a factor each sample: they have the ensemble by construction. */
function oscillators(next: () => number, kT: number, memory: number, count: number): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const x = Array.from({ length: 60 }, () => Math.sqrt(kT) * normal());
  return Array.from({ length: count }, () => {
    for (let k = 0; k < x.length; k++)
      x[k] = memory * x[k]! + Math.sqrt(kT * (1 - memory ** 2)) * normal();
    return x.reduce((sum, one) => sum + one ** 2 / 2, 0);
  });
}

it.each([0.5, 0.9])(
  'the slope between two temperatures has no bias and the error it tells, where a sample remembers %f of the one before',
  (memory) => {
    const next = uniform(2463534242);
    const wanted = 1 / 1.5 - 1 / 1.7;
    const off = Array.from({ length: 60 }, () => {
      const [cold, hot] = [1.5, 1.7].map((kT) => oscillators(next, kT, memory, 300));
      const { slope, error } = logRatioSlope(cold!, hot!);
      return (slope - wanted) / error;
    });
    // Of 60 numbers of width 1: four standard errors of their mean and of their width.
    expect(Math.abs(mean(off))).toBeLessThan(4 / Math.sqrt(60));
    expect(Math.abs(Math.sqrt(mean(off.map((z) => z * z))) - 1)).toBeLessThan(4 / Math.sqrt(120));
  },
);
