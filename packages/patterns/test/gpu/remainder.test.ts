import { afterAll, beforeAll, expect, it } from 'vitest';
import { Support } from '../../../functor/src/lower/wgsl/Support.js';
import { RandomSource } from '../../../functor/test/support/RandomSource.js';
import type { GpuEngine } from '../../src/gpu/GpuEngine.js';
import { describeGpu, openEngine } from '../support/gpu.js';

// WGSL allows a quotient to be off by 2.5 units in the last place. Software adapters divide correctly, so the error is made here.

describeGpu('the remainder in single precision', () => {
  let engine: GpuEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine?.close());

  it.each([
    ['correct', 1],
    ['too small', 1 - 2.5 * 2 ** -24],
    ['too large', 1 + 2.5 * 2 ** -23],
  ])('is exact where quotients are %s', async (_, off) => {
    const { gpu } = engine;
    const support = new Support('test');
    const name = support.remainder();
    const quotient = 'trunc(a / m)';
    expect(support.text).toContain(quotient);
    const kernel = gpu.kernel({
      label: 'remainder',
      workgroupSize: 64,
      buffers: [
        { name: 'x', type: 'array<f32>', access: 'read' },
        { name: 'y', type: 'array<f32>', access: 'read' },
        { name: 'out', type: 'array<f32>', access: 'read_write' },
      ],
      params: { count: 'u32', off: 'f32' },
      declarations: support.text.replace(quotient, 'trunc((a / m) * P.off)'),
      body: `if (index < P.count) { out[index] = ${name}(x[index], y[index]); }`,
    });
    const random = new RandomSource(1);
    const count = 400;
    const y = Float32Array.from({ length: count }, () => (1 + random.below(4096)) / 64);
    // Multiples, and numbers just beside them.
    const x = y.map((m, k) => {
      const multiple = m * (random.below(2 ** 9) + 1) * (random.chance(0.5) ? 1 : -1);
      return multiple * (1 + (k % 3 === 0 ? 0 : random.below(5) - 2) * 2 ** -23);
    });
    const buffers = [x, y].map((values, k) => {
      const buffer = gpu.buffer(`argument ${k}`, 4 * count);
      gpu.stream.upload(buffer, new Uint8Array(values.buffer));
      return buffer;
    });
    const out = gpu.buffer('results', 4 * count);
    gpu.stream.dispatchThreads(kernel, [...buffers, out], { count, off }, count);
    const readback = gpu.stream.read(out, 4 * count);
    readback.flush();
    const found = [...new Float32Array(await readback.data)];
    for (const buffer of [...buffers, out]) gpu.release(buffer);
    expect(found.map((r) => r + 0)).toEqual([...x].map((value, k) => (value % y[k]!) + 0));
  });
});
