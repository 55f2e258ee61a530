import { describe, expect, it } from 'vitest';
import {
  blockFunctor,
  blockParallelFor,
  createArray,
  createExecutionContext,
  newestOnHost,
  withFunctionText,
} from '../../src/index.js';

const values = blockFunctorWith('(x) => { const y = x * x; return 1 / (1 + y); }');

/** A functor whose helper exists as text only when it is defined. */
function blockFunctorWith(text: string) {
  const f = withFunctionText((x: number) => 1 / (1 + x * x), text);
  return blockFunctor(
    { name: 'from_text', arrays: { values: 'real' }, helpers: { f } },
    (b, a, _p, h) => {
      if (b.lane === 0) a.values[b.index] = h.f(a.values[b.index]!);
    },
  );
}

describe('withFunctionText', () => {
  it.each(['cpu', 'webgpu'] as const)('compiles a helper from its text on %s', async (backend) => {
    await using ctx = await createExecutionContext({ backend });
    const array = createArray(ctx, 'real', 5);
    array.write([0, 1, 2, 3, 7]);
    await blockParallelFor(5, values, ctx, { arrays: { values: array } });
    await newestOnHost(array, ctx);
    expect([...array.values].map((value) => Math.fround(value))).toEqual(
      [1, 0.5, 0.2, 0.1, 0.02].map(Math.fround),
    );
  });

  it('takes nothing but functor language', () => {
    expect(() => blockFunctorWith('(x) => process.exit(x)')).toThrow(/process/);
    expect(() => blockFunctorWith('alert(1)')).toThrow(/not a function/);
    expect(() => blockFunctorWith('(x) => {')).toThrow(/cannot be parsed/);
  });
});
