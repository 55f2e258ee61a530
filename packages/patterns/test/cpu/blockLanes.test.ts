import { blockFunctor } from '@corpuscle/functor';
import { afterAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { pairUpLanes } from '../../src/cpu/kernels/pairUpLanes.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { createArray } from '../../src/plan/createArray.js';
import { addValue, coordinates } from '../shared/functors.js';

const spec = {
  arrays: { out: 'real', count: 'i32' },
  read: { in: 'real', at: 'u32' },
  params: { n: 'i32' },
} as const;

/** Branches, inner loops with break, gathers, scatters, ints: all inside a second-level loop. */
const everything = blockFunctor({ ...spec, name: 'everything' }, (b, a, p, h) => {
  const row = h.i32(b.index) * p.n;
  for (let k = b.lane; k < p.n; k += b.size) {
    let x = a.in[row + h.i32(k)]!;
    if (x > 0.5) {
      a.out[row + h.i32(k)] = Math.sqrt(x);
      for (let turn = h.i32(0); turn < 10; turn++) {
        x *= 0.5;
        if (x < 0.1) break;
      }
    } else a.out[row + h.i32(k)] -= x;
    a.count[row + h.i32(a.at[row + h.i32(k)]!)] += h.i32(100 * x);
  }
});

describe('second-level loops in two lanes', () => {
  const contexts = ['simd', 'scalar', 'javascript'] as const;
  const open = contexts.map((lowering) =>
    createExecutionContext({ backend: 'cpu', threads: 1, lowering }),
  );
  afterAll(async () => {
    for (const ctx of open) await (await ctx).close();
  });

  it.each([1, 2, 3, 8, 33])('give what one lane gives, with %i columns', async (n) => {
    const rows = 7;
    const results: number[][] = [];
    for (const opening of open) {
      const ctx = await opening;
      const arrays = {
        in: createArray(ctx, 'real', rows * n),
        out: createArray(ctx, 'f32', rows * n),
        at: createArray(ctx, 'u32', rows * n),
        count: createArray(ctx, 'i32', rows * n),
      };
      arrays.in.write(Float64Array.from({ length: rows * n }, (_, k) => ((k * 7919) % 101) / 101));
      arrays.at.write(Uint32Array.from({ length: rows * n }, (_, k) => n - 1 - (k % n)));
      blockParallelFor(rows, everything, ctx, { arrays, params: { n } });
      results.push([...arrays.out.values, ...arrays.count.values]);
      for (const array of Object.values(arrays)) array.free();
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toEqual(results[2]);
    expect(results[0]!.some((x) => x !== 0)).toBe(true);
  });

  it('are recognized', () => {
    expect(pairUpLanes(addValue.ir!)).not.toBeNull();
    expect(pairUpLanes(everything.ir!)).not.toBeNull();
  });

  it.each([
    ['there is no loop', coordinates],
    [
      'a turn needs the one before',
      blockFunctor({ ...spec, name: 'sum' }, (b, a, p) => {
        let sum = 0;
        for (let k = b.lane; k < p.n; k += b.size) sum += a.in[k]!;
        a.out[b.index] = sum;
      }),
    ],
    [
      'something is written outside',
      blockFunctor({ ...spec, name: 'outside' }, (b, a, p) => {
        for (let k = b.lane; k < p.n; k += b.size) a.out[k] = 1;
        a.out[b.index] += 1;
      }),
    ],
    [
      'the loop may be left early',
      blockFunctor({ ...spec, name: 'early' }, (b, a, p) => {
        for (let k = b.lane; k < p.n; k += b.size) {
          if (a.in[k]! > 1) break;
          a.out[k] = 1;
        }
      }),
    ],
    [
      'the bound changes',
      blockFunctor({ ...spec, name: 'bound' }, (b, a) => {
        for (let k = b.lane; k < a.count[0]!; k += b.size) a.count[0]! -= 1;
      }),
    ],
  ])('stay one lane where %s', (_, functor) => {
    expect(pairUpLanes(functor.ir!)).toBeNull();
  });
});
