import { blockFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { describeBlocks } from '../shared/blockBodies.js';

for (const lowering of ['simd', 'scalar', 'javascript'] as const) {
  describeBlocks({
    name: `cpu ${lowering}`,
    tolerance: 0,
    mathTolerance: 1e-14,
    open: (heap) =>
      createExecutionContext({ backend: 'cpu', threads: 2, lowering, ...(heap ? { heap } : {}) }),
  });
}

describe('barriers', () => {
  const make =
    (body: unknown, extra: object = {}) =>
    () =>
      blockFunctor(
        {
          name: 'f',
          arrays: { a: 'real' },
          read: { table: 'u32' },
          params: { n: 'u32' },
          blockShared: { tile: 'real[8]' },
          ...extra,
        } as never,
        body as never,
      );
  type B = { lane: number; size: number; index: number; barrier(): void; tile: number[] };
  type A = { a: number[]; table: number[] };
  const refused = expect.objectContaining({ code: 'FUNCTOR_UNSUPPORTED' });

  it('are refused where some lanes may miss them', () => {
    expect(
      make((b: B) => {
        if (b.lane === 0) b.barrier();
      }),
    ).toThrow(refused);
    expect(
      make((b: B, _a: A, p: { n: number }) => {
        for (let k = b.lane; k < p.n; k += b.size) b.barrier();
      }),
    ).toThrow(refused);
    expect(
      make((b: B) => {
        if (b.lane > 3) return;
        b.barrier();
      }),
    ).toThrow(refused);
    expect(
      make((b: B, a: A) => {
        if (a.a[b.index]! > 0) b.barrier();
      }),
    ).toThrow(refused);
    expect(
      make((b: B, _a: A, p: { n: number }) => {
        let mine = 0;
        if (b.lane > 2) mine = 1;
        for (let k = 0; k < p.n; k++) if (mine < 1) b.barrier();
      }),
    ).toThrow(refused);
    expect(
      make((b: B, _a: A, p: { n: number }) => {
        for (let k = 0; k < p.n; k++) {
          if (b.lane > k) break;
          b.barrier();
        }
      }),
    ).toThrow(refused);
  });

  it('are accepted where all lanes come by', () => {
    expect(
      make((b: B, a: A, p: { n: number }) => {
        const many = a.table[b.index]! * 2;
        for (let k = 0; k < many; k++) {
          if (k > p.n) break;
          b.tile[b.lane] = k;
          b.barrier();
        }
        if (p.n > 3 && b.index > 1) b.barrier();
      }),
    ).not.toThrow();
  });

  it('come with shared memory of known size', () => {
    const body = () => {};
    const named = expect.objectContaining({ code: 'FUNCTOR_NAME' });
    expect(make(body, { blockShared: { tile: 'real' } })).toThrow(named);
    expect(make(body, { blockShared: { lane: 'real[8]' } })).toThrow(named);
    expect(make(body, { blockShared: { tile: 'real[5000]' } })).toThrow(named);
    expect(make(body, { result: { m: 'argmax' } })).toThrow(named);
    expect(make(body, { prolog: 3 })).toThrow(named);
  });
});
