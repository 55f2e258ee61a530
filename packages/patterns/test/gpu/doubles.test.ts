import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GpuEngine } from '../../src/gpu/GpuEngine.js';
import { worstErrors } from '../support/doubleCases.js';
import { describeGpu, openEngine } from '../support/gpu.js';
import { runDoubles } from '../support/runDoubles.js';

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
