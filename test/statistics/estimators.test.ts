import { expect, it } from 'vitest';
import {
  inefficiency,
  logRatioSlope,
  mean,
  slowInefficiency,
} from '../support/ensembleStatistics.js';

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

it('slow changes beneath a fast swing are found: the error of a mean is that of many runs', () => {
  const next = uniform(123456789);
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const remembering = (memory: number, share: number) => {
    let x = normal();
    return () => {
      x = memory * x + Math.sqrt(1 - memory ** 2) * normal();
      return Math.sqrt(share) * x;
    };
  };
  const runs = Array.from({ length: 40 }, () => {
    const [swing, drift] = [remembering(-0.6, 0.9), remembering(0.95, 0.1)];
    return Array.from({ length: 16_000 }, () => swing() + drift());
  });
  // By the autocorrelations of both: (1 + m) / (1 − m) for each, by its share.
  const exact = (0.9 * 0.4) / 1.6 + (0.1 * 1.95) / 0.05;
  expect(mean(runs.map(inefficiency))).toBeLessThan(0.3 * exact);
  expect(mean(runs.map(slowInefficiency)) / exact).toBeGreaterThan(0.85);
  expect(mean(runs.map(slowInefficiency)) / exact).toBeLessThan(1.3);
});
