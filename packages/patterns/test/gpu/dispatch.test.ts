import { blockFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { createArray } from '../../src/plan/createArray.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

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
});
