import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockFunctor } from '../../src/functor/blockFunctor.js';
import { ExclusiveScan } from '../../src/gpu/sort/ExclusiveScan.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { createArray } from '../../src/pattern/createArray.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { sequence } from '../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

const mark = blockFunctor({ name: 'mark', arrays: { seen: 'u32' } }, (b, a) => {
  a.seen[b.index] += b.index + 1;
});

describeGpu('dispatches on WebGPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  it('spread over a second dimension beyond 65,535 workgroups', async () => {
    const blocks = 150_001;
    const seen = createArray(ctx, 'u32', blocks);
    await blockParallelFor(blocks, mark, ctx, { arrays: { seen }, blockSize: 1 });
    await newestOnHost(seen, ctx);
    expect(seen.values.findIndex((value, k) => value !== k + 1)).toBe(-1);
    seen.free();
  });

  it('keep their parameters apart when hundreds of them wait for one submit', async () => {
    const seen = createArray(ctx, 'u32', 1000);
    for (let k = 1; k <= 1000; k++)
      blockParallelFor(k, mark, ctx, { arrays: { seen }, blockSize: 1 });
    await newestOnHost(seen, ctx);
    expect(seen.values.findIndex((value, k) => value !== (k + 1) * (1000 - k))).toBe(-1);
    seen.free();
  });

  // Tiles have 2,048 numbers.
  it.each([
    [1, 8192, 9],
    [8192, 8192, 9],
    [8193, 8192, 9],
    [70_001, 8192, 99],
    [70_001, 8192, 9],
    [2049, 1, 1],
    [70_001, 16, 9],
    [1_300_000, 100, 99],
  ])('scan %i numbers, %i in one workgroup, up to %i totals by each', async (count, few, many) => {
    const { gpu } = engineOf(ctx);
    const next = sequence(count);
    const values = Uint32Array.from({ length: count }, () => Math.floor(7 * next()));
    const buffer = gpu.buffer('numbers', 4 * count);
    gpu.stream.upload(buffer, new Uint8Array(values.buffer));
    const target = gpu.buffer('sums', 4 * count);
    new ExclusiveScan(gpu, { few, many }).run(buffer, target, count);
    const left = gpu.stream.read(buffer, 4 * Math.min(count, 20_000));
    const readback = gpu.stream.read(target, 4 * count);
    readback.hurry();
    const sums = new Uint32Array(await readback.data);
    let expected = 0;
    const wrong = values.findIndex((value, k) => {
      const differs = sums[k] !== expected;
      expected += value;
      return differs;
    });
    expect(wrong).toBe(-1);
    expect(new Uint32Array(await left.data).findIndex((value) => value !== 0)).toBe(-1);
    gpu.release(buffer);
    gpu.release(target);
  });
});
