import { describe, expect, it } from 'vitest';
import { i32, real, u32 } from '../../src/conversions.js';
import type { FunctorFunction } from '../../src/Functor.js';
import { compiled, understood } from './understood.js';

describe('types of numbers', () => {
  it('an integer literal never makes an int', () => {
    expect(understood('let sum = 0; sum += d.x; i.fx += sum / 2;')).toMatchInlineSnapshot(`
      "body
        let sum_0: real = 0
        sum_0 = (sum_0 + d.x)
        i.fx += (sum_0 / 2)"
    `);
  });

  it('a counter of literals is real, unless something needs an int', () => {
    expect(understood('for (let k = 0; k < 3; k++) i.fx += k;')).toContain('let k_0: real = 0');
    expect(understood('for (let k = 0; k < 3; k++) i.fx += p.table[k];')).toContain(
      'let k_0: i32 = 0i',
    );
    expect(understood('let k = 1; k += 2; i.n += k;')).toContain('let k_0: i32 = 1i');
    expect(understood('let k = 1; i.k = k + 2;')).toContain('let k_0: u32 = 1u');
    expect(understood('let k = 1; i.fx += k & 1 ? 1 : 2;')).toContain('let k_0: i32 = 1i');
  });

  it('a demand reaches through other locals', () => {
    const text = understood(
      'let a = 0; let b = a + 1; for (; b < 3; b++) a = b; i.fx += p.table[a];',
    );
    expect(text).toContain('let a_0: i32 = 0i');
    expect(text).toContain('let b_1: i32 = (a_0 +i 1i)');
  });

  it('division is real, also of ints', () => {
    expect(understood('i.fx += i.type / 2;')).toContain('i.fx += (real(i.type) / 2)');
  });

  it('ints meet reals as reals, and unsigned meets signed as signed', () => {
    expect(understood('i.fx += i.type * d.x;')).toContain('(real(i.type) * d.x)');
    expect(understood('i.n += i.type + p.m;')).toContain('(i32(i.type) +i p.m)');
    expect(understood('i.fx += i.type - j.type;')).toContain('real((i32(i.type) -i i32(j.type)))');
    expect(understood('if (i.type === -1) i.fx += 1;')).toContain('(i32(i.type) == -1i)');
  });

  it('bit operations give i32, and >>> gives u32', () => {
    expect(understood('i.n = i.type & 3; i.k = i.n >>> 1;')).toMatchInlineSnapshot(`
      "body
        i.n = (i.type &i 3i)
        i.k = (i.n >>>u 1u)"
    `);
  });

  it('Math.imul multiplies 32-bit integers', () => {
    expect(understood('i.n = Math.imul(i.type, 0x9e3779b9);')).toContain(
      '((i.type |i 0i) *i -1640531527i)',
    );
  });

  it('an int takes part in a condition as "not zero"', () => {
    expect(understood('if (i.type & 1) i.fx += 1;')).toContain('if ((i.type &i 1i) != 0i)');
  });

  it('conversions of numbers are made at once', () => {
    expect(
      understood('i.n = h.i32(2.7) + h.i32(-1e10) + h.u32(-3); i.fx += h.real(true);'),
    ).toMatchInlineSnapshot(`
      "body
        i.n = ((2i +i -2147483648i) +i i32(0u))
        i.fx += 1"
    `);
  });
});

describe('conversions', () => {
  it.each([
    [1.9, 1, 1],
    [-1.9, -1, 0],
    [3e9, 2147483647, 3000000000],
    [-3e9, -2147483648, 0],
    [5e9, 2147483647, 4294967295],
    [Number.NaN, 0, 0],
    [true, 1, 1],
  ])('of %s', (x, signed, unsigned) => {
    expect(i32(x)).toBe(signed);
    expect(u32(x)).toBe(unsigned);
    expect(real(x)).toBe(Number(x));
  });

  it('are known by their own names too', () => {
    expect(
      compiled(((i: { n: number }, _j: object, d: { x: number }) => {
        i.n += i32(d.x);
      }) as FunctorFunction),
    ).toContain('i.n += i32(d.x)');
  });
});
