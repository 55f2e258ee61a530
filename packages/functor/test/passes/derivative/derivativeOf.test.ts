import { afterEach, describe, expect, it, vi } from 'vitest';
import { derivativeOf } from '../../../src/derivativeOf.js';
import { functionText } from '../../../src/functionText.js';

/** Central differences of two widths, joined so that the error falls with the fourth power of the width. */
function differences(f: (x: number) => number, x: number): number {
  const slope = (h: number) => (f(x + h) - f(x - h)) / (2 * h);
  const h = 1e-3 * Math.max(1, Math.abs(x));
  return (4 * slope(h / 2) - slope(h)) / 3;
}

/** Differences of this width are good to some 1e-9. */
const expectClose = (value: number, expected: number) =>
  expect(Math.abs(value - expected) / Math.max(1, Math.abs(expected))).toBeLessThan(1e-7);

type Two = (x: number, a: number) => number;

const functions: Readonly<Record<string, Two>> = {
  sums: (x, a) => a - (x - 3 * a + x),
  products: (x, a) => x * (a * x) * (x + 1),
  quotients: (x, a) => (a + x) / (x * x + 1) - x / a,
  reciprocals: (x, a) => 1 / (x + a) - -1 / x + a / x,
  remainders: (x, a) => ((5.3 * x) % a) + (a % (x + 7)),
  roots: (x, a) => Math.sqrt(x * x + a),
  exponentials: (x, a) => Math.exp(-a * x) * Math.log(x + a),
  waves: (x, a) => Math.sin(a * x) * Math.cos(x),
  hyperbolic: (x, a) => Math.tanh(x - a) + Math.sinh(a * x) / Math.cosh(x),
  inverse: (x, a) => Math.atan(x) + Math.asin(0.3 * x) - Math.acos(0.2 * x * a),
  angles: (x, a) => Math.atan2(x, a) + Math.atan2(a, x) + Math.atan2(x * x, -x),
  powers: (x, a) => x ** 5 + x ** -2 + x ** a + a ** x + x ** x + (x - 7) ** 2,
  'powers of quotients': (x, a) => (a / x) ** 12 - (a / x) ** (2 * a),
  lengths: (x, a) => Math.hypot(x, a, x * x),
  extremes: (x, a) => Math.min(x * x, a, 3 * x) + Math.max(x, a) * Math.abs(a - 2 * x),
  rounded: (x, a) => x * x * Math.floor(a) + Math.trunc(3 * a) * x - Math.round(x) * x,
  choices: (x, a) => (x > a ? x * x : a) + (x > 100 ? 0 : x * a),
  branches: (x, a) => {
    if (x > 1.3) return x * x;
    if (x > 0.6) return a * Math.exp(x);
    return 0;
  },
  'variables that change': (x, a) => {
    let u = x;
    u *= u + a;
    const before = u;
    u = before * x - u;
    if (u > a) u += Math.sqrt(before);
    return u * before;
  },
  'parameters that change': (given, a) => {
    let x = given;
    x = x * x + a;
    return x * given;
  },
  loops: (x, a) => {
    let [term, sum] = [1, 0];
    for (let k = 1; k < 12; k++) {
      if (k === 3) continue;
      term *= (a * x) / k;
      sum += term;
      if (sum > 5) break;
    }
    return sum;
  },
  arrays: (x, a) => {
    const powers = [1, x, x * x, a];
    for (let k = 0; k < 4; k++) powers[k & 3]! *= powers[(k + 1) & 3]!;
    return powers[0]! + powers[3]!;
  },
};

describe('derivativeOf', () => {
  it.each(Object.keys(functions))('agrees with differences: %s', (name) => {
    const f = functions[name]!;
    const by = [0, 1].map((k) => derivativeOf(f, { by: k }));
    const second = derivativeOf(by[0]!);
    for (const x of [0.4, 0.9, 1.7]) {
      const a = 0.83;
      expectClose(
        by[0]!(x, a),
        differences((t) => f(t, a), x),
      );
      expectClose(
        by[1]!(x, a),
        differences((t) => f(x, t), a),
      );
      expectClose(
        second(x, a),
        differences((t) => by[0]!(t, a), x),
      );
    }
  });

  it('is exact where rules have corners', () => {
    const at = (f: (x: number) => number, x: number) => derivativeOf(f)(x);
    expect(at((x) => Math.abs(x), 0)).toBe(1);
    expect(at((x) => Math.hypot(x, 0), 0)).toBe(0);
    expect(at((x) => x ** 2.5, 0)).toBe(0);
    expect(at((x) => x ** 1, 0)).toBe(1);
    expect(at((x) => 0 * x + x ** 0, 3)).toBe(0);
    expect(at((x) => Math.max(x, 1), 1)).toBe(1);
  });

  it('multiplies by a factor, of which signs and powers of two cost nothing', () => {
    const force = derivativeOf((r: number, k: number) => 0.5 * k * r * r, { factor: -1 });
    expect(force(2, 3)).toBe(-6);
    const text = functionText(derivativeOf((r: number) => 0.5 * (r * r), { factor: -2 }));
    expect(text).toContain('return ((-2) * r_0);');
  });

  it('computes once what occurs twice, and nothing for the value alone', () => {
    const morse = (r: number, D: number, alpha: number) => {
      const x = Math.exp(-alpha * r);
      return D * x * (x - 2) + Math.log(D);
    };
    const text = functionText(derivativeOf(morse));
    expect(text.match(/Math\.exp/g)).toHaveLength(1);
    expect(text).not.toContain('Math.log');
    const one = functionText(derivativeOf((r: number) => Math.exp(r) / r));
    expect(one.match(/Math\.exp/g)).toHaveLength(1);
  });

  it('of a constant is 0', () => {
    expect(derivativeOf((_r: number, a: number) => a)(1, 2)).toBe(0);
  });

  it.each([
    ['a truth value', (r: number) => (r > 1) as unknown as number, 'FUNCTOR_TYPE', /type bool/],
    ['several values', (r: number) => [r, r] as unknown as number, 'FUNCTOR_TYPE', /an array/],
    [
      'whole numbers of the argument alone',
      (r: number) => 2 * Math.floor(r + 0.5),
      'FUNCTOR_UNSUPPORTED',
      /depends on 'r' through whole numbers only[\s\S]*Math\.floor\(r \+ 0?\.5\)\n.*\^{18}/,
    ],
  ])('refuses %s, with a caret', (_, f, code, message) => {
    expect(() => derivativeOf(f, { name: 'energy', wholeNumbers: 'refuse' })).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(message),
        location: expect.objectContaining({ frame: expect.stringMatching(/\^/) }),
      }),
    );
  });
});

describe('a page that may not evaluate text', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('has derivatives as WebAssembly, with the same numbers', () => {
    const energy = (r: number, k: number, n: number) => {
      let u = 0;
      for (let m = 0; m < 3; m++) u += (k / r) ** n * Math.exp(-m * r);
      return r < 0.5 ? Math.sqrt(u) : u;
    };
    const force = derivativeOf(energy, { factor: -1 });
    const inPage = derivativeOf(energy, { factor: -1 });
    const places = [0.3, 0.5, 1.1, 2.4] as const;
    const expected = places.map((r) => force(r, 1.5, 6));
    const refusing = class {
      constructor() {
        throw new EvalError('unsafe-eval is not allowed');
      }
    };
    Object.setPrototypeOf(refusing.prototype, Function.prototype);
    vi.stubGlobal('Function', new Proxy(Function, { construct: () => new refusing() }));
    expect(inPage.length).toBe(3);
    for (const [k, r] of places.entries())
      expect(inPage(r, 1.5, 6) / expected[k]!).toBeCloseTo(1, 13);
  });
});
