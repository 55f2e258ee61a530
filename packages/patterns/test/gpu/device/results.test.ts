import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import type { KernelSource } from '../../../src/gpu/device/GpuKernel.js';
import type { Receiver } from '../../../src/gpu/device/ResultPage.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

/** Fills a result with a number. */
const fill: KernelSource = {
  label: 'fill',
  workgroupSize: 64,
  buffers: [{ name: 'results', type: 'array<u32>', access: 'read_write' }],
  params: { at: 'u32', words: 'u32', value: 'u32' },
  body: 'if (index < P.words) { results[P.at + index] = P.value; }',
};

describeGpu('small results', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  function receiving(): { readonly data: Promise<ArrayBuffer>; readonly receiver: Receiver } {
    let receiver: Receiver | undefined;
    const data = new Promise<ArrayBuffer>((resolve, reject) => {
      receiver = { resolve, reject };
    });
    return { data, receiver: receiver! };
  }

  /** Asks for results of so many words each; nothing is awaited in between. */
  function ask(sizes: readonly number[]) {
    const { gpu } = engineOf(ctx);
    const kernel = gpu.kernel(fill);
    return sizes.map((words, k) => {
      const { data, receiver } = receiving();
      const { buffer, offset, flush } = gpu.stream.result(4 * words, receiver);
      const params = { at: offset / 4, words, value: k + 1 };
      gpu.stream.dispatchThreads(kernel, [buffer], params, words);
      return { data, flush };
    });
  }

  it('arrive whole, more of them than a page has room for', async () => {
    const { counters } = engineOf(ctx).gpu;
    const sizes = Array.from({ length: 90 }, (_, k) => 1 + ((k * 97) % 1000));
    const before = counters.submits;
    const results = ask(sizes);
    expect(counters.submits).toBeGreaterThan(before);
    results.at(-1)!.flush();
    for (const [k, { data }] of results.entries())
      expect(new Uint32Array(await data)).toEqual(new Uint32Array(sizes[k]!).fill(k + 1));
  });

  it('between two submits take one copy, and no pass ends for them', async () => {
    const { gpu } = engineOf(ctx);
    gpu.stream.flush();
    const { submits, dispatches } = gpu.counters;
    const before = gpu.stream.commands;
    const results = ask([1, 2, 3]);
    expect(gpu.stream.commands - before).toBe(gpu.counters.dispatches - dispatches);
    results[0]!.flush();
    expect(gpu.counters.submits).toBe(submits + 1);
    expect(new Uint32Array(await results[2]!.data)).toEqual(Uint32Array.of(3, 3, 3));
  });

  it('are refused with the reason when the engine is closed before they arrive', async () => {
    const other = await gpuContext();
    const { gpu } = engineOf(other);
    const { data, receiver } = receiving();
    gpu.stream.result(16, receiver);
    await other.close();
    await expect(data).rejects.toThrow(/was closed before the results arrived/);
  });
});
