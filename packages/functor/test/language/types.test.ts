// The checks of this file are made by tsc (pnpm typecheck): every @ts-expect-error must be an error.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { blockFunctor } from '../../src/blockFunctor.js';
import { cellFunctor } from '../../src/cellFunctor.js';
import type { Functor, PairFunctor } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { reduceFunctor } from '../../src/reduceFunctor.js';
import type { ParamValues } from '../../src/schema.js';

const cube = (x: number) => x * x * x;
const both = (x: number, y: number): [number, number] => [x, y];

/** Type-checked, never run: most of these do not compile as functors either. */
const pairs = () => {
  pairFunctor(
    {
      name: 'demo',
      central: { fx: 'real', n: 'i32' },
      read: { q: 'real' },
      neighbor: { q: 'real', type: 'u32' },
      params: { eps: 'real', table: 'real[]' },
      helpers: { cube, both },
      constants: { k: 3 },
    },
    (i, j, d, p, h, c) => {
      i.fx += h.cube(d.x) * p.eps + j.q * i.q * c.k;
      const [a, b] = h.both(d.y, d.r2);
      i.n += h.i32(a + b + h.real(d.x < 1) + h.u32(2.5));
      // @ts-expect-error fields of the neighbor are read-only
      j.q = 1;
      // @ts-expect-error fields in `read` are read-only
      i.q = 1;
      // @ts-expect-error parameters are read-only
      p.eps = 2;
      // @ts-expect-error elements of tables are read-only
      p.table[0] = 2;
      // @ts-expect-error a table is no number
      i.fx += p.table;
      // @ts-expect-error the displacement is read-only
      d.x = 0;
      // @ts-expect-error constants are read-only
      c.k = 4;
      // @ts-expect-error unknown field
      i.fz += d.x;
      // @ts-expect-error unknown field of the neighbor
      i.fx += j.mass;
      // @ts-expect-error unknown parameter
      i.fx += p.sigma;
      // @ts-expect-error unknown component
      i.fx += d.w;
      // @ts-expect-error unknown helper
      i.fx += h.square(d.x);
      // @ts-expect-error unknown constant
      i.fx += c.q;
      // @ts-expect-error a truth value is no number
      i.fx += d.x < 1;
      // @ts-expect-error wrong number of arguments
      i.fx += h.cube(1, 2);
    },
  );
  // @ts-expect-error unknown type
  pairFunctor({ name: 'demo', central: { fx: 'float' } }, () => {});
  // @ts-expect-error tables are parameters, not fields
  pairFunctor({ name: 'demo', central: { fx: 'real[]' } }, () => {});
  // @ts-expect-error unknown trait
  pairFunctor({ name: 'demo', central: {}, traits: { cuda: true } }, () => {});
  // @ts-expect-error a name is needed
  pairFunctor({ central: {} }, () => {});
};

const others = () => {
  cellFunctor(
    { name: 'demo', fields: { vx: 'real' }, read: { fx: 'real' }, params: { dt: 'real' } },
    (i, p) => {
      i.vx += i.fx * p.dt;
      // @ts-expect-error read-only
      i.fx = 0;
      // @ts-expect-error unknown field
      i.vy += 1;
    },
  );
  reduceFunctor({ name: 'demo', result: { sum: 'sum' }, read: { vx: 'real' } }, (acc, i) => {
    acc.sum += i.vx;
    // @ts-expect-error unknown result
    acc.max = 1;
    // @ts-expect-error read-only
    i.vx = 0;
  });
  // @ts-expect-error unknown operation
  reduceFunctor({ name: 'demo', result: { sum: 'mean' }, read: {} }, () => {});
  blockFunctor({ name: 'demo', arrays: { a: 'real' }, read: { b: 'i32' } }, (b, a) => {
    a.a[b.index] = a.b[b.index]!;
    // @ts-expect-error read-only array
    a.b[0] = 1;
    // @ts-expect-error unknown array
    a.c[0] = 1;
    // @ts-expect-error the block is read-only
    b.index = 3;
  });
};

describe('types of functors', () => {
  it('reject wrong fields, writes to read-only things and unknown types', () => {
    expect([pairs, others]).toHaveLength(2);
  });

  it('carry outputs and parameters', () => {
    const functor = pairFunctor(
      { name: 'demo', central: { fx: 'real' }, params: { k: 'real', table: 'real[]' } },
      (i, _j, d, p) => {
        i.fx += p.k * d.x * p.table[0]!;
      },
    );
    expectTypeOf(functor.outputs).toEqualTypeOf<{ readonly fx: 'real' }>();
    type Values = ParamValues<typeof functor.params>;
    expectTypeOf<Values>().toEqualTypeOf<{
      readonly k: number;
      readonly table: ArrayLike<number>;
    }>();
    expectTypeOf(functor).toExtend<PairFunctor>();
    expectTypeOf(functor).toExtend<Functor>();
    expect(functor.outputs).toEqual({ fx: 'real' });
    expect(functor.params).toEqual({ k: 'real', table: 'real[]' });
  });
});
