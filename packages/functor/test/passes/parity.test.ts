import { describe, expect, it } from 'vitest';
import type { FunctorFunction } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { parity } from '../../src/passes/parity.js';
import type { Helper } from '../../src/schema.js';

// Each rule of the proof that half lists rest on, at the border: what it must accept, and what it must refuse.

function provenParity(body: string, helpers: Record<string, Helper> = {}): string {
  const { ir } = pairFunctor(
    {
      name: 'demo',
      central: { fx: 'real' },
      read: { q: 'real', type: 'u32' },
      neighbor: { q: 'real', type: 'u32' },
      params: { a: 'real', table: 'real[]', other: 'real[]', marks: 'i32[]' },
      helpers,
    },
    new Function(`return (i, j, d, p, h) => {\n${body}\n};`)() as FunctorFunction as never,
  );
  return parity(ir!).get('fx')!;
}

const ofValue = (expression: string) => provenParity(`i.fx += ${expression};`);
const refusal = /'fx' to be odd or even/;

describe('values', () => {
  it.each([
    ['an element at an index that is not even', 'p.table[d.x > 0 ? 1 : 0]'],
    ['a remainder by what is neither odd nor even', '1 % (d.x + 2)'],
    ['an odd value as an unsigned integer', 'h.u32(d.x)'],
    ['an odd integer as an unsigned one', 'h.u32(h.i32(d.x))'],
    ['equality of an odd and an even value', '(d.x === 1 ? 1 : 2)'],
    ['inequality of an even and an odd value', '(d.r2 !== d.x ? 1 : 2)'],
    ['an order of two odd values', '(d.x < d.y ? 1 : 2)'],
    ['a rounded odd value: halves go up', 'Math.round(d.x)'],
    ['the ceiling of an odd value', 'Math.ceil(d.x)'],
    ['the larger of two odd values', 'Math.max(d.x, d.y)'],
    ['the logarithm of an odd value', 'Math.log(d.x)'],
    ['the arc cosine of an odd value', 'Math.acos(d.x)'],
    ['the complement of the error function of an odd value', 'h.erfc(d.x)'],
    ['the angle of a point that is turned as a whole', 'Math.atan2(d.y, d.x)'],
    ['the angle of a point beside an odd axis', 'Math.atan2(d.r2, d.x)'],
    ['random numbers drawn for an odd integer', 'h.uniform(h.i32(d.x), 1, 2)[0]'],
    ['an odd base with a broken exponent', 'd.x ** 1.5'],
    ['an odd exponent', '2 ** d.x'],
    ['bits of an odd integer', '(h.i32(d.x) & 1)'],
    ['the complement of an odd integer', '~h.i32(d.x)'],
    ['a choice between odd and even', '(d.r2 > 1 ? d.x : 1)'],
    ['a truth value of something uneven as a number', 'h.real(h.i32(d.x > 0 ? 1 : 0))'],
  ])('refuses %s', (_, expression) => {
    expect(() => ofValue(expression)).toThrow(refusal);
  });

  it.each([
    ['d.x % 2', 'odd'],
    ['d.x % d.r2', 'odd'],
    ['h.i32(d.x)', 'odd'],
    ['Math.trunc(d.x)', 'odd'],
    ['Math.sign(d.x)', 'odd'],
    ['Math.fround(d.x)', 'odd'],
    ['Math.tanh(d.x) * d.y', 'even'],
    ['Math.atan(d.x)', 'odd'],
    ['Math.asin(d.x)', 'odd'],
    ['Math.sinh(d.x)', 'odd'],
    ['Math.cosh(d.x)', 'even'],
    ['Math.acos(d.r2)', 'even'],
    ['Math.atan2(d.x, d.r2)', 'odd'],
    ['Math.atan2(0, d.r2)', 'even'],
    ['h.erf(d.x)', 'odd'],
    ['h.erf(d.x) * d.y', 'even'],
    ['h.erfc(d.r2)', 'even'],
    ['(Number.isNaN(d.x) ? 1 : 2)', 'even'],
    ['h.normal(i.type + j.type, 1, 2)[3]', 'even'],
    ['Math.hypot(d.x, d.y)', 'even'],
    ['(d.x === d.y ? 1 : 2)', 'even'],
    ['(d.x !== 0 ? 1 : 2)', 'even'],
    ['p.table[d.x === 0 ? 1 : 0]', 'even'],
    ['d.x / 0', 'odd'],
    ['(0 * d.x + d.r2)', 'even'],
  ])('%s is %s', (expression, expected) => {
    expect(ofValue(expression)).toBe(expected);
  });
});

describe('differences of mirrored values', () => {
  it.each([
    ['the same table at each type', 'p.table[i.type] - p.table[j.type]', 'odd'],
    ['integers of both sides', 'i.type - j.type', 'odd'],
    ['functions of both sides', 'Math.sqrt(2 * i.q) - Math.sqrt(2 * j.q)', 'odd'],
    [
      'two tables at one symmetric index',
      'p.table[i.type + j.type] - p.other[j.type + i.type]',
      'even',
    ],
    ['a product and a sum of both sides', 'i.q * j.q - (j.q + i.q)', 'even'],
    ['a negated and a plain product', '-(i.q * j.q) - j.q * i.q', 'even'],
    ['two functions of a symmetric value', 'Math.exp(i.q * j.q) - Math.cos(j.q * i.q)', 'even'],
    ['two numbers next to the same value', 'i.q * j.q * 2 - j.q * i.q * 3', 'even'],
    ['two parameters', 'p.a * (i.q * j.q) - 2 * (j.q * i.q)', 'even'],
  ])('%s', (_, expression, expected) => {
    expect(ofValue(`(${expression})`)).toBe(expected);
    expect(ofValue(`(${expression}) * d.x`)).toBe(expected === 'odd' ? 'even' : 'odd');
  });

  it('are recognized through the parameters of helpers', () => {
    const minus = (a: number, b: number): number => a - b;
    const half = (a: number, b: number): number => {
      const [x, y] = [a / 2, b / 2];
      return x - y;
    };
    expect(provenParity('i.fx += h.minus(i.q, j.q);', { minus })).toBe('odd');
    expect(provenParity('const q = 2 * j.q; i.fx += h.half(2 * i.q, q);', { half })).toBe('odd');
    expect(provenParity('i.fx += h.minus(i.q * j.q, j.q + i.q);', { minus })).toBe('even');
  });

  it('are not looked for through parameters that a helper changes', () => {
    const doubled = (a: number, b: number): number => {
      let x = a;
      let y = b;
      x = x * 2;
      y = y * 2;
      return x - y;
    };
    const changed = new Function('return (a, b) => { a = a * 2; b = b * 2; return a * b; };')();
    expect(provenParity('i.fx += h.doubled(d.x, d.y);', { doubled })).toBe('odd');
    expect(provenParity('i.fx += h.changed(d.x, d.y) - h.changed(d.y, d.x);', { changed })).toBe(
      'even',
    );
  });
});

describe('paths', () => {
  it.each([
    [
      'an element written at an index that is not even',
      'const a = [0, 0]; a[d.x > 0 ? 1 : 0] = 1; i.fx += a[1];',
    ],
    ['what follows a nested return', 'if (d.r2 > 1) { if (d.x > 0) return; } i.fx += 1;'],
    [
      'what follows a return nested in an else',
      'if (d.r2 > 1) { i.fx += 1; } else { if (d.x > 0) return; } i.fx += 1;',
    ],
    [
      'what a loop adds before a jump that is not even',
      'for (let k = 0; k < 3; k++) { i.fx += 1; if (d.x > k) break; }',
    ],
    [
      'later rounds of a loop that some leave by a jump that is not even',
      'let s = 0; for (;;) { i.fx += 1; s += 1; if (s > 2) break; if (d.x > 0) break; }',
    ],
    [
      'what a loop skips',
      'let s = 0; for (let k = 0; k < 3; k++) { if (d.x > k) continue; s += 1; } i.fx += s;',
    ],
    ['a counter of a loop that is not even', 'let n = 0; while (n < d.x) n += 1; i.fx += n;'],
    [
      'what follows a return out of a loop',
      'for (let k = 0; k < 3; k++) { if (d.x > k) return; } i.fx += 1;',
    ],
    [
      'results of a helper that returns early',
      'i.fx += h.early(d.x);',
      {
        early: (x: number) => {
          if (x > 0) return 1;
          return 2;
        },
      },
    ],
    [
      'several results of a helper in a branch that is not even',
      'let s = 0; if (d.x > 0) { const [a, b] = h.two(d.r2); s = a + b; } i.fx += s;',
      { two: (x: number): number[] => [x, x + 1] },
    ],
  ] as [string, string, Record<string, Helper>?][])('refuses %s', (_, body, helpers = {}) => {
    expect(() => provenParity(body, helpers)).toThrow(refusal);
  });

  it.each([
    [
      'what follows a branch that is even',
      'if (d.r2 > 1) { if (d.r2 > 2) return; } i.fx += d.x;',
      'odd',
    ],
    [
      'what follows a branch that is not even and comes back',
      'let s = 0; if (d.x > 0) s = 1; i.fx += d.x;',
      'odd',
    ],
    [
      'what follows a loop that is left by an even condition',
      'for (let k = 0; k < 3; k++) { if (d.r2 > k) break; i.fx += d.x; } i.fx += d.y;',
      'odd',
    ],
  ])('accepts %s', (_, body, expected) => {
    expect(provenParity(body)).toBe(expected);
  });
});
