import { evaluateSwitching, type SwitchOptions, switchingFunction } from '@corpuscle/operators';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateExpression, expressionsText } from '../expression/compileExpressions.js';
import { differentiate } from '../expression/differentiate.js';
import { parseExpression } from '../expression/parseExpression.js';

const functions: readonly SwitchOptions[] = [
  { type: 'rational', r0: 0.4 },
  { type: 'rational', r0: 0.4, nn: 1, mm: 2 },
  { type: 'rational', r0: 0.4, nn: 5, mm: 8, d0: 0.1 },
  { type: 'rational', r0: 0.4, nn: 3, mm: 7, dMax: 0.9 },
  { type: 'rational', r0: 0.4, nn: 7, mm: 3 },
  { type: 'rational', r0: 0.4, nn: 9, mm: 10 },
  { type: 'rational', r0: 0.4, nn: 7, d0: 0.05 },
  { type: 'exp', r0: 0.3, d0: 0.1, dMax: 1 },
  { type: 'gaussian', r0: 0.3, d0: 0.1 },
  { type: 'gaussian', r0: 0.3 },
  { type: 'smap', r0: 0.4, a: 3, b: 2 },
  { type: 'smap', r0: 0.4, a: 1, b: 5, d0: 0.1 },
  { type: 'cubic', d0: 0.2, dMax: 0.8 },
  { type: 'tanh', r0: 0.3 },
  { type: 'cosinus', r0: 0.4, d0: 0.1 },
  { type: 'q', r0: 0.3, ref: 0.3, beta: 10, lambda: 1.5 },
  { type: 'custom', r0: 0.3, func: '1/(1+x2^3)' },
  { type: 'custom', r0: 0.3, d0: 0.1, func: 'exp(-x)*cos(x)^2/(1+sqrt(x))' },
];

describe('switching functions', () => {
  it.each(functions.map((f) => [JSON.stringify(f), f] as const))('%s: slope', (_, options) => {
    const s = switchingFunction(options);
    for (let r = 0.0213; r < 1.2; r += 0.0371) {
      const h = 1e-5;
      const at = (d: number) => evaluateSwitching(s, r + d).value;
      const numerical = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      expect(Math.abs(evaluateSwitching(s, r).slope - numerical), `at ${r}`).toBeLessThan(2e-8);
    }
  });

  it('the default is 0 with slope 0, not NaN, at any distance', () => {
    const s = switchingFunction({ type: 'rational', r0: 1 });
    for (const r of [1e60, 1e80, 1e150]) {
      const { value, slope } = evaluateSwitching(s, r);
      expect(value).toBeCloseTo(0, 20);
      expect(Math.abs(slope / r)).toBeLessThan(1e-30);
    }
  });

  it('rational agrees with its definition away from x = 1 for all exponents', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.01, max: 4, noNaN: true }),
        (nn, mm, x) => {
          fc.pre(nn !== mm && Math.abs(x - 1) > 0.05);
          const s = switchingFunction({ type: 'rational', r0: 1, nn, mm });
          const { value, slope } = evaluateSwitching(s, x);
          const [p, q] = [1 - x ** nn, 1 - x ** mm];
          const exact = (-nn * x ** (nn - 1) * q + mm * x ** (mm - 1) * p) / (q * q);
          expect(Math.abs(value / (p / q) - 1)).toBeLessThan(1e-13);
          expect(Math.abs(slope - exact)).toBeLessThan(1e-12 * Math.max(1, Math.abs(exact)));
        },
      ),
    );
  });

  it('far away nothing overflows', () => {
    for (const options of functions) {
      const { value, slope } = evaluateSwitching(switchingFunction(options), 1e30);
      if (options.nn === 7 && options.mm === 3) continue; // grows without bound
      expect([value, slope].every(Number.isFinite), JSON.stringify(options)).toBe(true);
    }
  });
});

describe('formulas', () => {
  const value = (text: string, x: number) => evaluateExpression(parseExpression(text, 'x'), x);

  it('follow the rules of arithmetic', () => {
    expect(value('-x^2', 3)).toBe(-9);
    expect(value('2^3^2', 0)).toBe(512);
    expect(value('2 - 3 - x * 2 / 4', 8)).toBe(-5);
    expect(value('2**-1 + .5e1', 0)).toBe(5.5);
  });

  it.each([
    ['1 +', 4],
    ['1 + * x', 5],
    ['(x', 3],
    ['x y', 3],
    ['1/(1+y)', 6],
    ['constructor(x)', 1],
    ['x.y', 2],
    ['exp x', 1],
    ['', 1],
    ['x; x', 2],
    ['1e', 1],
    ['1e+', 1],
    ['2x', 1],
    ['x^^2', 3],
    ['x***2', 4],
    ['1.2.3', 4],
    ['x(2)', 1],
    ['sin', 1],
    ['(x))', 4],
    ['πx', 1],
  ])('%j is refused at its place', (text, character) => {
    expect(() => parseExpression(text, 'x')).toThrow(`wrong at character ${character}:`);
  });

  it('are differentiated', () => {
    const formulas = [
      '1/(1+x^6)',
      'exp(-x^2/2)*sin(3*x)',
      'log(1+x)^2',
      'x^x',
      '2^x*tanh(x)',
      'sqrt(cosh(x))+sinh(x)/tan(1+x)',
      'abs(x-5)*step(x)+square(x)+cube(x)+recip(x)+cos(x)',
    ];
    for (const text of formulas) {
      const f = parseExpression(text, 'x');
      const slope = differentiate(f);
      for (const x of [0.3, 0.9, 1.2]) {
        const h = 1e-5;
        const at = (d: number) => evaluateExpression(f, x + d);
        const numerical = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        expect(Math.abs(evaluateExpression(slope, x) - numerical), text).toBeLessThan(1e-8);
      }
    }
  });

  it('share what occurs twice', () => {
    const f = parseExpression('exp(-x) + exp(-x)^2', 'x');
    expect(expressionsText([f], ['x']).match(/Math\.exp/g)).toHaveLength(1);
  });
});
