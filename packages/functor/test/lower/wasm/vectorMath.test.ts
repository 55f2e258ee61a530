import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import type { LaneShape } from '../../../src/lower/wasm/BodyEnv.js';
import { exp } from '../../../src/lower/wasm/math/exp.js';
import { hypot } from '../../../src/lower/wasm/math/hypot.js';
import { log } from '../../../src/lower/wasm/math/log.js';
import { pow } from '../../../src/lower/wasm/math/pow.js';
import { remainder } from '../../../src/lower/wasm/math/remainder.js';
import { fround, max, min, round, sign } from '../../../src/lower/wasm/math/rounding.js';
import { cos, sin } from '../../../src/lower/wasm/math/sincos.js';
import { tanh } from '../../../src/lower/wasm/math/tanh.js';
import type { VectorMath } from '../../../src/lower/wasm/math/VectorMath.js';
import {
  type Big,
  exactCos,
  exactExp,
  exactLog,
  exactPow,
  exactSin,
  exactTanh,
  ulpError,
} from '../../support/highPrecision.js';
import { RandomSource } from '../../support/RandomSource.js';
import { vectorMathRunner } from '../../support/vectorMathRunner.js';

// Node 22 and later have it anyway; older ones must be told before the first module is made.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const count = Number(process.env.ULP_COUNT ?? runs(5_000, 20_000));
const report = process.env.ULP_COUNT !== undefined;
const random = new RandomSource(11);
const between = (low: number, high: number) =>
  Array.from({ length: count }, () => random.between(low, high));
/** Magnitudes spread evenly over powers of two, both signs. */
const spread = (low: number, high: number) =>
  between(low, high).map((e) => (random.chance(0.5) ? 2 ** e : -(2 ** e)));
const positive = (values: number[]) => values.map(Math.abs);

type Exact = (...x: number[]) => Big;

/** The largest error in ulp over the samples; infinite results must be infinite in the reference too. */
function worst(f: VectorMath, exact: Exact, real: 'f64' | 'f32', ...args: number[][]): number {
  return worstOf(f, exact, { lanes: real === 'f64' ? 2 : 4, real }, ...args);
}

function worstOf(
  f: VectorMath,
  exact: Exact,
  shape: LaneShape & { readonly relaxed?: boolean },
  ...args: number[][]
): number {
  const { real } = shape;
  const rounded = real === 'f32' ? args.map((list) => list.map(Math.fround)) : args;
  const results = vectorMathRunner(f, args.length, shape)(...rounded);
  let most = 0;
  let where = 0;
  results.forEach((value, k) => {
    const error = ulpError(value, exact(...rounded.map((list) => list[k] ?? 0)), real);
    if (!(error <= most)) {
      most = error;
      where = k;
    }
  });
  if (report)
    process.stdout.write(`${real} ${most.toFixed(3)} ulp at ${rounded.map((l) => l[where])}\n`);
  return most;
}

describe.each(['f64', 'f32'] as const)('vector functions on %s lanes', (real) => {
  const f64 = real === 'f64';

  it('exp is within 1.05 ulp (f32: 1), subnormal results included', () => {
    const bound = f64 ? 1.05 : 1;
    const [low, high] = f64 ? [-745, 709.78] : [-103.9, 88.72];
    expect(worst(exp, exactExp, real, between(low, high))).toBeLessThanOrEqual(bound);
    expect(worst(exp, exactExp, real, between(-1, 1))).toBeLessThanOrEqual(bound);
    expect(worst(exp, exactExp, real, spread(f64 ? -60 : -30, -1))).toBeLessThanOrEqual(bound);
  });

  it('log is within 1 ulp, subnormal arguments included', () => {
    expect(
      worst(log, exactLog, real, positive(spread(f64 ? -1074 : -149, f64 ? 1023.9 : 127.9))),
    ).toBeLessThanOrEqual(1);
    expect(worst(log, exactLog, real, between(0.5, 2))).toBeLessThanOrEqual(1);
    expect(
      worst(
        log,
        exactLog,
        real,
        spread(f64 ? -50 : -22, -4).map((x) => 1 + x),
      ),
    ).toBeLessThanOrEqual(1);
  });

  it('pow is within 1 ulp', () => {
    const top = f64 ? 700 : 87;
    // Exponents chosen so that results fill the range.
    const x = positive(spread(f64 ? -1000 : -125, f64 ? 1000 : 125)).map((v) =>
      f64 ? v : Math.fround(v),
    );
    const y = x.map((v) => random.between(-top, top) / Math.log(v));
    expect(worst(pow, exactPow, real, x, y)).toBeLessThanOrEqual(1);
    const near = between(0.5, 2);
    expect(worst(pow, exactPow, real, near, between(-50, 50))).toBeLessThanOrEqual(1);
    expect(worst(pow, exactPow, real, between(0, 10), between(-10, 10))).toBeLessThanOrEqual(1);
  });

  it('sin and cos are within 1 ulp (f32: 2)', () => {
    for (const [f, exact] of [
      [sin, exactSin],
      [cos, exactCos],
    ] as const) {
      const bound = f64 ? 1 : 2;
      expect(worst(f, exact, real, between(-10, 10))).toBeLessThanOrEqual(bound);
      expect(worst(f, exact, real, between(-1e6, 1e6))).toBeLessThanOrEqual(bound);
      expect(worst(f, exact, real, spread(-30, 30))).toBeLessThanOrEqual(bound);
      const multiples = Array.from({ length: 5000 }, (_, n) => (n - 2500) * (Math.PI / 2));
      const around = multiples.map(
        (x) => x * (1 + random.between(-1, 1) * 2 ** -random.between(10, 53)),
      );
      expect(worst(f, exact, real, multiples)).toBeLessThanOrEqual(bound);
      expect(worst(f, exact, real, around)).toBeLessThanOrEqual(bound);
    }
  });

  it('tanh is within 2 ulp', () => {
    expect(worst(tanh, exactTanh, real, between(-2, 2))).toBeLessThanOrEqual(2);
    expect(worst(tanh, exactTanh, real, between(-25, 25))).toBeLessThanOrEqual(2);
    expect(worst(tanh, exactTanh, real, spread(-28, 4))).toBeLessThanOrEqual(2);
  });
});

it.each(['f64', 'f32'] as const)(
  'fused multiply and add keep the bounds on %s lanes, where there are such',
  (real) => {
    const shape = { lanes: real === 'f64' ? 2 : 4, real, relaxed: true } as const;
    const positive = between(1e-3, 50);
    expect(worstOf(exp, exactExp, shape, between(-80, 80))).toBeLessThanOrEqual(1.05);
    expect(worstOf(log, exactLog, shape, positive)).toBeLessThanOrEqual(1);
    expect(worstOf(pow, exactPow, shape, positive, between(-8, 8))).toBeLessThanOrEqual(1);
    expect(worstOf(sin, exactSin, shape, between(-10, 10))).toBeLessThanOrEqual(2);
    expect(worstOf(tanh, exactTanh, shape, between(-5, 5))).toBeLessThanOrEqual(2);
  },
);

const specials = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  -1.5,
  2,
  -2,
  2.5,
  -2.5,
  3,
  -3,
  0.49999999999999994,
  -0.49999999999999994,
  4503599627370495.5,
  4503599627370497,
  -4503599627370497,
  9007199254740991,
  2 ** 53,
  1e300,
  -1e300,
  1e-300,
  -1e-300,
  2 ** -1022,
  2 ** -1074,
  -(2 ** -1074),
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
  Math.PI,
  1e22,
  123456789.125,
  709.782712893384,
  709.7827128933841,
  -745.1332191019411,
  -745.1332191019412,
  -708.4,
  1e-8,
  1e6,
  1000001,
];
const floats = specials.map(Math.fround);
const pairs = (list: number[]) =>
  [list.flatMap((x) => list.map(() => x)), list.flatMap(() => list)] as [number[], number[]];

function close(value: number, wanted: number, ulps: number, real: 'f64' | 'f32'): boolean {
  if (Object.is(value, wanted)) return true;
  if (value === 0 && wanted === 0) return false; // the sign of zero counts
  const unit = real === 'f64' ? 2 ** -52 : 2 ** -23;
  const least = real === 'f64' ? 2 ** -1074 : 2 ** -149;
  return Math.abs(value - wanted) <= ulps * Math.max(unit * Math.abs(wanted), least);
}

const unary: [string, VectorMath, (x: number) => number, number][] = [
  ['exp', exp, Math.exp, 2],
  ['log', log, Math.log, 2],
  ['sin', sin, Math.sin, 2],
  ['cos', cos, Math.cos, 2],
  ['tanh', tanh, Math.tanh, 3],
  ['round', round, Math.round, 0],
  ['sign', sign, Math.sign, 0],
];
const binary: [string, VectorMath, (x: number, y: number) => number, number][] = [
  ['pow', pow, Math.pow, 2],
  ['min', min, Math.min, 0],
  ['max', max, Math.max, 0],
  ['%', remainder, (x, y) => x % y, 0],
  ['hypot', hypot, Math.hypot, 2],
];

describe('special values agree with Math.*, the sign of zero included', () => {
  it.each(unary)('%s', (_, f, reference, ulps) => {
    for (const [real, list] of [
      ['f64', specials],
      ['f32', floats],
    ] as const) {
      const results = vectorMathRunner(f, 1, { lanes: real === 'f64' ? 2 : 4, real })(list);
      const found = list.filter((x, k) => {
        const wanted = real === 'f64' ? reference(x) : Math.fround(reference(x));
        return !close(results[k] ?? 0, wanted, ulps, real);
      });
      expect(
        found.map((x) => `${real} ${x}: ${results[list.indexOf(x)]} not ${reference(x)}`),
      ).toEqual([]);
    }
  });

  it.each(binary)('%s', (name, f, reference, ulps) => {
    for (const [real, list] of [
      ['f64', specials],
      ['f32', floats],
    ] as const) {
      const [xs, ys] = pairs(list);
      const results = vectorMathRunner(f, 2, { lanes: real === 'f64' ? 2 : 4, real })(xs, ys);
      const found: string[] = [];
      results.forEach((value, k) => {
        const [x, y] = [xs[k] ?? 0, ys[k] ?? 0];
        const exact = reference(x, y);
        const wanted = real === 'f64' ? exact : Math.fround(exact);
        if (!close(value, wanted, ulps, real))
          found.push(`${real} ${name}(${x}, ${y}): ${value} not ${wanted}`);
      });
      expect(found.slice(0, 10)).toEqual([]);
    }
  });

  it('min and max with a constant on either side are exact', () => {
    for (const c of [0, -0, 1, -2.5, Number.POSITIVE_INFINITY, Number.NaN]) {
      for (const [f, reference] of [
        [min, Math.min],
        [max, Math.max],
      ] as const) {
        const left: VectorMath = (m, x) => f(m, m.ops.F.const(c), x as never);
        const right: VectorMath = (m, x) => f(m, x as never, m.ops.F.const(c));
        for (const g of [left, right]) {
          const results = vectorMathRunner(g, 1, { lanes: 2, real: 'f64' })(specials);
          expect(results).toEqual(specials.map((x) => reference(x, c)));
        }
      }
    }
  });

  it('fround rounds to single', () => {
    expect(vectorMathRunner(fround, 1, { lanes: 2, real: 'f64' })(specials)).toEqual(
      specials.map(Math.fround),
    );
  });

  it('% is exact for random arguments', () => {
    const [x, y] = [spread(-60, 60), spread(-60, 60)];
    const results = vectorMathRunner(remainder, 2, { lanes: 2, real: 'f64' })(x, y);
    expect(results.filter((value, k) => !Object.is(value, (x[k] ?? 0) % (y[k] ?? 0)))).toEqual([]);
    const [p, q] = [x.map(Math.fround), y.map(Math.fround)];
    const single = vectorMathRunner(remainder, 2, { lanes: 4, real: 'f32' })(p, q);
    expect(single.filter((value, k) => !Object.is(value, (p[k] ?? 0) % (q[k] ?? 0)))).toEqual([]);
  });

  it('one lane gives the bits of two', () => {
    const x = between(-20, 20);
    for (const [, f] of unary) {
      const two = vectorMathRunner(f, 1, { lanes: 2, real: 'f64' })(x);
      const one = vectorMathRunner(f, 1, { lanes: 1, real: 'f64' })(x);
      expect(one.filter((_, k) => k % 2 === 0)).toEqual(two.filter((_, k) => k % 2 === 0));
    }
  });
});
