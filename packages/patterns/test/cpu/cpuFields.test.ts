import { cellFunctor, reduceFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { describeFields } from '../shared/fieldBodies.js';
import { filledGrid } from '../shared/oracle.js';

for (const lowering of ['simd', 'scalar', 'javascript'] as const) {
  describeFields({
    name: `cpu ${lowering}`,
    tolerance: 0,
    mathTolerance: 1e-14,
    open: (heap) =>
      createExecutionContext({ backend: 'cpu', threads: 2, lowering, ...(heap ? { heap } : {}) }),
  });
}

describe('declarations of fields and results', () => {
  const code = (make: () => unknown): unknown => {
    try {
      make();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('refuses what means nothing', () => {
    const cell = (extra: object) => () =>
      cellFunctor({ name: 'f', fields: { q: 'real' }, ...extra } as never, (() => {}) as never);
    expect(code(cell({ traits: { needsCellParticleIndex: true } }))).toBe('FUNCTOR_NAME');
    expect(code(cell({ read: { cell: 'real' }, traits: { needsCellParticleIndex: true } }))).toBe(
      'FUNCTOR_NAME',
    );
    expect(code(cell({ defaults: { color: 1 } }))).toBe('FUNCTOR_NAME');
    expect(code(cell({ computed: { q: () => 1 } }))).toBe('FUNCTOR_NAME');
    expect(code(cell({ computed: { e: (i: { q: number }) => i.q } }))).toBe('FUNCTOR_UNSUPPORTED');
    const reduce =
      (extra: object, fn: unknown = () => {}) =>
      () =>
        reduceFunctor({ name: 'f', read: { q: 'real' }, ...extra } as never, fn as never);
    expect(code(reduce({ result: { a: 'mean' } }))).toBe('FUNCTOR_NAME');
    expect(code(reduce({ result: { a: 'sum[0]' } }))).toBe('FUNCTOR_NAME');
    expect(code(reduce({ result: { a: 'real' } }))).toBe('FUNCTOR_NAME');
    expect(code(reduce({ result: { a: 'sum' }, combine: () => {} }))).toBe('FUNCTOR_NAME');
    expect(code(reduce({ result: { a: 'real' }, combine: () => {}, identity: { a: [1] } }))).toBe(
      'FUNCTOR_NAME',
    );
    const reads = (acc: { a: number[]; b: number }, i: { q: number }) => {
      acc.b += acc.a[0]! * i.q;
    };
    expect(code(reduce({ result: { a: 'sum[4]', b: 'sum' } }, reads))).toBe('FUNCTOR_UNSUPPORTED');
    const sets = (acc: { a: number[] }, i: { q: number }) => {
      acc.a[0] = i.q;
    };
    expect(code(reduce({ result: { a: 'sum[4]' } }, sets))).toBe('FUNCTOR_UNSUPPORTED');
    const wrong = (into: { a: number }) => {
      into.a = nowhere;
    };
    expect(code(reduce({ result: { a: 'real' }, combine: wrong }))).toBe('FUNCTOR_NAME');
  });

  it('runs records of plain JavaScript', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const seen: number[] = [];
    const plain = reduceFunctor(
      {
        name: 'plain',
        result: { top: 'argmax', bins: 'sum[3]' },
        read: { vx: 'real', type: 'u32' },
        traits: { gpu: false },
      },
      (acc, i) => {
        seen.push(i.vx);
        acc.top = Math.max(acc.top, i.vx);
        acc.bins[i.type] = (acc.bins[i.type] ?? 0) + 1;
      },
    );
    const grid = filledGrid(ctx.heap, 50, 2);
    const { top, bins } = await reduceCellParticles(grid, plain, {}, ctx);
    const v = grid.values('vx');
    expect(plain.ir).toBeNull();
    expect(seen.length).toBe(50);
    expect(top.value).toBe(Math.max(...v));
    expect(grid.values('id')[v.indexOf(top.value)]).toBe(top.id);
    expect(bins.reduce((a, b) => a + b, 0)).toBe(50);
  });
});

declare const nowhere: number;
