import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itLong } from '../../../../../test/support/runs.js';
import { fusedMultiplyAdd } from '../../../../functor/test/support/fusedDoubles.js';
import type { GpuEngine } from '../../../src/gpu/GpuEngine.js';
import { describeGpu, openEngine } from '../../support/gpu.js';
import { runDoubles } from '../../support/runDoubles.js';
import { worstErrors, worstFusedErrors } from '../../support/worstErrors.js';

describe('double-single arithmetic where fma rounds once, on the host', () => {
  it('rounds once', () => {
    const last = 2 ** -23;
    expect(fusedMultiplyAdd(1 + last, 1 - last, -1)).toBe(-(last ** 2));
    // 2^-54 below the middle of two floats: rounded to a double first, it would go to the one above.
    const part = 2 ** -12 * (1 + 2 ** -15);
    expect(fusedMultiplyAdd(part, 2 ** -12 * (1 - 2 ** -15), 1 + last)).toBe(1 + last);
    expect(Math.fround(part * 2 ** -12 * (1 - 2 ** -15) + 1 + last)).toBe(1 + 2 * last);
  });

  itLong('keeps the stated bounds', () => {
    const found = worstFusedErrors();
    if (process.env.DS_COUNT) console.table(found);
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ worst, bound }) => !(worst <= bound))).toEqual([]);
  });
});

describeGpu('double-single arithmetic', () => {
  let engine: GpuEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine?.close());

  it('keeps the stated bounds', async () => {
    const found = await worstErrors(engine.gpu);
    if (process.env.DS_COUNT) console.table(found);
    expect(found.filter(({ worst, bound }) => !(worst <= bound))).toEqual([]);
  });

  it('has the range of floats: overflow is not finite, what is too small is zero', async () => {
    const texts = ['ds_exp(x)', 'ds_mul(x, x)', 'ds_power_m2(x)', 'ds_exp(-x)'];
    const x = [
      [89, 1000],
      [1e20, -1e30],
      [1e20, -1e30],
      [105, 1e6],
    ];
    const [exp, squares, inverse, small] = await runDoubles(
      engine.gpu,
      texts.map((text, k) => ({ text, x: x[k]! })),
    );
    expect([...exp!]).toEqual([Infinity, Infinity]);
    expect([...squares!].some(Number.isFinite)).toBe(false);
    for (const value of [...inverse!, ...small!])
      expect(Math.abs(value) < 2 ** -126 || !Number.isFinite(value)).toBe(true);
  });
});
