import { philox4x32 } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { BlockMeans } from './BlockMeans.js';

describe('block means', () => {
  it('tell the error of correlated samples: that of an autoregressive process', () => {
    const phi = 0.9;
    const samples = 100_000;
    const means = new BlockMeans(1);
    let [x, sum] = [0, 0];
    for (let n = 0; n < samples; n++) {
      const words = philox4x32([n, 0, 0, 0], [1, 0]);
      const noise = words.reduce((total, word) => total + word / 2 ** 32 - 0.5, 0) * Math.sqrt(3);
      x = phi * x + Math.sqrt(1 - phi * phi) * noise; // variance 1
      sum += x;
      means.add([x]);
    }
    expect(means.mean(0)).toBeCloseTo(sum / samples, 12);
    const exact = Math.sqrt((1 + phi) / (1 - phi) / samples);
    // The error of an error of 48 blocks is a tenth of it.
    expect(Math.abs(means.error(0) / exact - 1)).toBeLessThan(0.3);
    expect(means.samples).toBe(samples);
  });

  it('go on from what they saved', () => {
    const [whole, first, second] = [new BlockMeans(2), new BlockMeans(2), new BlockMeans(2)];
    for (let n = 0; n < 777; n++) {
      const values = [Math.sin(n * n), n];
      whole.add(values);
      if (n < 333) first.add(values);
      if (n === 333) second.restore(structuredClone(first.save()));
      if (n >= 333) second.add(values);
    }
    for (const k of [0, 1]) {
      expect(second.mean(k)).toBe(whole.mean(k));
      expect(second.error(k)).toBe(whole.error(k));
    }
  });
});
