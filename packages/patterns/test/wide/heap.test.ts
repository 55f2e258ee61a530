import { SharedHeap } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterEach, describe, expect, it } from 'vitest';
import { meltYaml } from '../../../../test/support/runCli.js';
import { runText } from '../../../../test/support/runText.js';
import { highHeap } from '../support/highHeap.js';

const GiB = 2 ** 30;

describe('a heap of more than 4 GiB', () => {
  it('has addresses of 64 bits, and hands out 16 GiB', () => {
    const heap = new SharedHeap(1, 262_144);
    expect(heap.addresses).toBe('i64');
    expect(heap.limit).toBe(16 * GiB);
    const [low, high] = [heap.allocate(12 * GiB), heap.allocate(64)];
    expect(high).toBe(low + 12 * GiB);
    heap.f64(high, 8).fill(2);
    expect(heap.i32(low, 1)[0]).toBe(0);
    expect(4 * (heap.word(high) >>> 0)).toBe(high);
    expect(() => heap.allocate(4 * GiB)).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        message: expect.stringContaining('addresses at most 16384 MiB'),
      }),
    );
  });

  it('is made if more memory is expected, and keeps what has been allocated', () => {
    const heap = new SharedHeap();
    expect([heap.limit, heap.largestLimit]).toEqual([4 * GiB, 16 * GiB]);
    const at = heap.allocate(800);
    heap.f64(at, 100).fill(3);
    heap.expect(4 * GiB);
    expect(heap.addresses).toBe('i32');
    heap.expect(4 * GiB + 1);
    expect([heap.addresses, heap.limit]).toEqual(['i64', 16 * GiB]);
    expect(heap.f64(at, 100).every((x) => x === 3)).toBe(true);
    expect(heap.allocate(64)).toBe(at + 832);
    heap.free(at);
  });

  it('is not made where threads have the memory, or a size was given', () => {
    const used = new SharedHeap();
    used.settle();
    const given = new SharedHeap(64, 1024);
    for (const heap of [used, given]) {
      heap.expect(8 * GiB);
      expect(heap.addresses).toBe('i32');
    }
    expect(given.largestLimit).toBe(64 * 2 ** 20);
  });
});

describe('a melt beyond 4 GiB', () => {
  let contexts: ExecutionContext[] = [];
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
  });

  it.each([
    ['f64', 1, 'simd'],
    ['f64', 2, 'simd'],
    ['mixed', 2, 'simd'],
    ['f64', 2, 'javascript'],
  ] as const)(
    'has the same bits as below: %s, %i threads, %s',
    async (precision, threads, lowering) => {
      const run = async (heap: SharedHeap) => {
        const options = {
          backend: 'cpu',
          threads,
          precision,
          lowering,
          deterministic: true,
        } as const;
        const context = await createExecutionContext({ ...options, heap });
        contexts.push(context);
        const { grid, table, values } = await runText(
          meltYaml({
            global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 20 }',
          }),
          context,
        );
        await newestOnHost(grid, context);
        return { table, at: grid.block('position').address, rx: values('rx') };
      };
      const low = await run(new SharedHeap());
      const high = await run(highHeap());
      expect(low.at).toBeLessThan(GiB);
      expect(high.at).toBeGreaterThan(4 * GiB);
      expect(high.table).toEqual(low.table);
      expect(high.rx).toEqual(low.rx);
    },
  );
});
