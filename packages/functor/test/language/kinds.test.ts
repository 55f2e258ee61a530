import { describe, expect, it } from 'vitest';
import { blockFunctor } from '../../src/blockFunctor.js';
import { cellFunctor } from '../../src/cellFunctor.js';
import { printIR } from '../../src/passes/printIR.js';
import { reduceFunctor } from '../../src/reduceFunctor.js';

describe('functors', () => {
  it('cell functors read and write one particle', () => {
    const drift = cellFunctor(
      { name: 'drift', fields: { rx: 'real' }, read: { vx: 'real' }, params: { dt: 'real' } },
      (i, p) => {
        i.rx += p.dt * i.vx;
      },
    );
    expect(printIR(drift.ir!)).toMatchInlineSnapshot(`
      "cell drift
        role i { *rx: real, vx: real }
        role p { dt: real }
        body
          i.rx += (p.dt * i.vx)"
    `);
  });

  it('reductions know sum, max and min in any argument order', () => {
    const extremes = reduceFunctor(
      { name: 'extremes', result: { s: 'sum', hi: 'max', lo: 'min' }, read: { vx: 'real' } },
      (acc, i) => {
        acc.s -= i.vx;
        acc.hi = Math.max(i.vx, acc.hi, 2);
        acc.lo = Math.min(acc.lo, i.vx);
      },
    );
    expect(printIR(extremes.ir!)).toMatchInlineSnapshot(`
      "reduce extremes
        role acc { *s: real, *hi: real, *lo: real }
        role i { vx: real }
        role p { }
        body
          acc.s -= i.vx
          acc.hi max max(i.vx, 2)
          acc.lo min i.vx"
    `);
  });

  it('block functors share a loop between lanes', () => {
    const add = blockFunctor(
      {
        name: 'add',
        arrays: { values: 'real' },
        read: { weight: 'real' },
        params: { columns: 'u32', x: 'real' },
      },
      (b, a, p) => {
        for (let k = b.lane; k < p.columns; k += b.size)
          a.values[b.index * p.columns + k]! += p.x * a.weight[k]!;
      },
    );
    expect(printIR(add.ir!)).toMatchInlineSnapshot(`
      "block add
        role b { index: u32, x: u32, y: u32, z: u32, lane: u32, size: u32 }
        role a { *values: real[], weight: real[] }
        role p { columns: u32, x: real }
        body
          let k_0: u32 = b.lane
          loop (k_0 < p.columns)
            a.values[((b.index *u p.columns) +u k_0)] += (p.x * a.weight[k_0])
          update
            k_0 = (k_0 +u b.size)"
    `);
  });

  it('are called directly through invoke, helpers and constants included', () => {
    const functor = cellFunctor(
      {
        name: 'demo',
        fields: { x: 'real' },
        params: { k: 'real' },
        helpers: { sq: (x: number) => x * x },
        constants: { one: 1 },
      },
      (i, p, h, c) => {
        i.x = h.sq(i.x) * p.k + c.one + h.i32(2.5);
      },
    );
    const i = { x: 3 };
    functor.invoke(i, { k: 2 });
    expect(i.x).toBe(21);
  });

  it('know where they were defined', () => {
    const functor = cellFunctor({ name: 'demo', fields: { x: 'real' } }, (i) => {
      i.x += 1;
    });
    expect(functor.source.file).toMatch(/kinds\.test\.ts$/);
    expect(functor.source.line).toBeGreaterThan(90);
  });

  it('have default traits', () => {
    const functor = cellFunctor({ name: 'demo', fields: {}, traits: { gpu: false } }, () => {});
    expect(functor.traits).toMatchObject({
      gpu: false,
      buffered: true,
      bufferless: true,
      newton3: false,
    });
    expect(functor.ir).not.toBeNull();
  });
});
