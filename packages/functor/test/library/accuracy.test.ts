import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { type Big, erfcByFraction, erfcBySeries, ulpError } from '../support/highPrecision.js';
import { libraryFunctors } from '../support/libraryFunctors.js';
import { type LibraryCase, libraryCases } from '../support/librarySamples.js';
import { type RunnerOptions, wasmRunner } from '../support/wasmRunner.js';

// Node 22 and later have it anyway; older ones must be told before the first module is made.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const count = Number(process.env.ULP_COUNT ?? 1500);
const identity = (x: number) => x;
const doubles = libraryCases({ count, round: identity, exponent: 709, tail: 26.5 });
const singles = libraryCases({ count, round: Math.fround, exponent: 88, tail: 9.1 });

/** Largest errors in units in the last place, as stated in docs/functors.md. */
const bounds = {
  f64: { atan: 2, atan2: 2, asin: 2, acos: 2, sinh: 3.5, cosh: 3.5, erf: 2, erfc: 7 },
  f32: { atan: 3, atan2: 3, asin: 3, acos: 3, sinh: 3, cosh: 3, erf: 3, erfc: 7 },
} as const;

type Evaluate = (x: number, y: number) => number;

/** Values for all arguments, as many at a time as there are lanes. */
function onLanes({ name, x, y }: LibraryCase, options: RunnerOptions): number[] {
  const runner = wasmRunner(libraryFunctors[name].ir!, options);
  const out: number[] = [];
  for (let first = 0; first < x.length; first += options.lanes) {
    const samples = x.slice(first, first + options.lanes).map((value, k) => ({
      i: { x: value, y: y[first + k]!, u: 0 },
    }));
    runner.run(samples, {});
    for (const { i } of samples) out.push(i.u);
  }
  return out;
}

const series = new Map<LibraryCase, Big[]>();

/** What series of BigInt give for all arguments of a case: they are summed once. */
function exactOf(each: LibraryCase): Big[] {
  const known = series.get(each) ?? each.x.map((x, k) => each.exact(x, each.y[k]!));
  series.set(each, known);
  return known;
}

function worst(each: LibraryCase, values: readonly number[], real: 'f64' | 'f32') {
  const { x, y } = each;
  const exact = exactOf(each);
  let found = { error: 0, x: 0, y: 0, value: 0 };
  values.forEach((value, k) => {
    const error = ulpError(value, exact[k]!, real);
    if (!(error <= found.error)) found = { error, x: x[k]!, y: y[k]!, value };
  });
  return found;
}

const direct = (name: LibraryCase['name']): Evaluate => {
  return (x, y) => {
    const i = { x, y, u: 0 };
    libraryFunctors[name].invoke(i, {});
    return i.u;
  };
};

describe('the library keeps its bounds, against BigInt series', () => {
  it.each(doubles)('$name on two lanes of f64', (each) => {
    const found = worst(each, onLanes(each, { lanes: 2, real: 'f64' }), 'f64');
    if (process.env.ULP_COUNT) console.log(each.name, JSON.stringify(found));
    expect(found.error, JSON.stringify(found)).toBeLessThanOrEqual(bounds.f64[each.name]);
  });

  it.each(doubles)('$name on two lanes of f64 with fused multiply and add', (each) => {
    const found = worst(each, onLanes(each, { lanes: 2, real: 'f64', relaxed: true }), 'f64');
    if (process.env.ULP_COUNT) console.log(each.name, JSON.stringify(found));
    expect(found.error, JSON.stringify(found)).toBeLessThanOrEqual(bounds.f64[each.name]);
  });

  it.each(singles)('$name on four lanes of f32', (each) => {
    const found = worst(each, onLanes(each, { lanes: 4, real: 'f32' }), 'f32');
    if (process.env.ULP_COUNT) console.log(each.name, JSON.stringify(found));
    expect(found.error, JSON.stringify(found)).toBeLessThanOrEqual(bounds.f32[each.name]);
  });

  it.each(doubles)('$name in the direct call', (each) => {
    const values = each.x.map((x, k) => direct(each.name)(x, each.y[k]!));
    const found = worst(each, values, 'f64');
    if (process.env.ULP_COUNT) console.log(each.name, JSON.stringify(found));
    expect(found.error, JSON.stringify(found)).toBeLessThanOrEqual(bounds.f64[each.name]);
  });

  it.each(doubles)('$name gives the same bits on one lane and on two', (each) => {
    const few = { ...each, x: each.x.slice(0, 200), y: each.y.slice(0, 200) };
    expect(onLanes(few, { lanes: 1, real: 'f64' })).toEqual(
      onLanes(few, { lanes: 2, real: 'f64' }),
    );
  });
});

it('the two oracles of erfc agree where both converge', () => {
  for (let x = 3; x <= 4.5; x += 1 / 64) {
    const [a, b] = [erfcBySeries(x), erfcByFraction(x)];
    const shifted = b.mantissa >> BigInt(-b.exponent);
    const difference = a.mantissa - shifted;
    expect(Math.abs(Number(difference)) / Number(shifted)).toBeLessThan(1e-30);
  }
});

// NIST Digital Library of Mathematical Functions, Table 7.23 and equation 7.12.1; Abramowitz and Stegun, Tables 7.1 and 7.3.
it.each([
  ['erf', 0.5, 0.5204998778130465],
  ['erf', 1, 0.8427007929497149],
  ['erf', 2, 0.9953222650189527],
  ['erfc', 0.5, 0.4795001221869535],
  ['erfc', 2, 0.004677734981047266],
  ['erfc', 5, 1.537459794428035e-12],
  ['erfc', 10, 2.0884875837625446e-45],
] as const)('%s(%d) is the published %d', (name, x, value) => {
  expect(Math.abs(direct(name)(x, 0) / value - 1)).toBeLessThan(1e-15);
});

const { MAX_VALUE, NaN: nan, POSITIVE_INFINITY: inf } = Number;
const specials = [0, 1, 0.5, 2, 30, 710, 2 ** -1074, 2 ** -1022, 1e-300, 1e300, MAX_VALUE, inf];
const all = [...specials, ...specials.map((x) => -x), nan];
const pairs = all.flatMap((y) => all.map((x) => [y, x] as const));

/** The sign of zero counts. */
const close = (value: number, wanted: number): boolean =>
  Object.is(value, wanted) ||
  (value !== 0 &&
    Math.abs(value - wanted) <= 4 * Math.max(2 ** -52 * Math.abs(wanted), 2 ** -1074));

describe('special values', () => {
  it.each(['atan', 'asin', 'acos', 'sinh', 'cosh'] as const)('of %s are those of Math', (name) => {
    const values = onLanes(
      { name, x: all, y: all, exact: doubles[0]!.exact },
      { lanes: 2, real: 'f64' },
    );
    const wrong = all.flatMap((x, k) =>
      close(values[k]!, Math[name](x)) ? [] : [`${x}: ${values[k]}`],
    );
    expect(wrong).toEqual([]);
  });

  it('of atan2 are those of Math', () => {
    const [y, x] = [pairs.map((p) => p[0]), pairs.map((p) => p[1])];
    const values = onLanes(
      { name: 'atan2', x, y, exact: doubles[0]!.exact },
      { lanes: 2, real: 'f64' },
    );
    const wrong = pairs.flatMap(([b, a], k) =>
      close(values[k]!, Math.atan2(b, a)) ? [] : [`${b}, ${a}: ${values[k]}`],
    );
    expect(wrong).toEqual([]);
  });

  it('of erf and erfc are limits, and erf is odd', () => {
    const [erf, erfc] = [direct('erf'), direct('erfc')];
    expect([erf(0, 0), erf(inf, 0), erf(-inf, 0), erf(nan, 0)]).toEqual([0, 1, -1, nan]);
    expect([erfc(0, 0), erfc(inf, 0), erfc(-inf, 0), erfc(nan, 0)]).toEqual([1, 0, 2, nan]);
    expect(erf(-0, 0)).toBe(-0);
    for (const x of [1e-300, 0.3, 0.79, 0.81, 3]) expect(erf(-x, 0)).toBe(-erf(x, 0));
  });
});

describe.each([
  ['one lane of f64', { lanes: 1, real: 'f64' }],
  ['two lanes of f64', { lanes: 2, real: 'f64' }],
  ['one lane of f32', { lanes: 1, real: 'f32' }],
  ['four lanes of f32', { lanes: 4, real: 'f32' }],
] as const)('isNaN and isFinite on %s', (_, options) => {
  it('tell NaN and infinities from numbers', () => {
    const values = [nan, 0, inf, -inf, -0, 1e30, -1e-30, nan];
    for (const name of ['isNaN', 'isFinite'] as const) {
      const runner = wasmRunner(libraryFunctors[name].ir!, options);
      const found: number[] = [];
      for (let first = 0; first < values.length; first += options.lanes) {
        const samples = values
          .slice(first, first + options.lanes)
          .map((x) => ({ i: { x, y: 0, u: 2 } }));
        runner.run(samples, {});
        for (const { i } of samples) found.push(i.u);
      }
      expect(found).toEqual(values.map((x) => Number(Number[name](x))));
    }
  });
});
