import { doubleLiteral } from '@corpuscle/functor/wgsl';
import {
  type Big,
  exactCos,
  exactExp,
  exactLog,
  exactPow,
  exactSin,
  exactTanh,
} from '../../../functor/test/support/highPrecision.js';
import { RandomSource } from '../../../functor/test/support/RandomSource.js';
import { toDouble } from '../../../functor/test/support/toDouble.js';

const COUNT = Number(process.env.DS_COUNT ?? 1500);
export const UNIT = 2 ** -48;
const random = new RandomSource(5);
const list = (of: () => number) => Float64Array.from({ length: COUNT }, () => toDouble(of()));
/** Magnitudes spread evenly over powers of two, both signs, all bits of the mantissa random. */
const spread = (low: number, high: number) =>
  list(() => (random.chance(0.5) ? 1 : -1) * 2 ** random.between(low, high));
const between = (low: number, high: number) => list(() => random.between(low, high));
const positive = (values: Float64Array) => values.map(Math.abs);

type Exact = (...x: number[]) => Big | number;
/** A function of the library, its arguments, and how far off it may be. */
export interface DoubleError {
  readonly text: string;
  readonly exact: Exact;
  readonly x: Float64Array;
  readonly y?: Float64Array;
  /** Largest error in units of 2^-48, of the result or of `of`. */
  readonly bound: number;
  readonly of?: (...x: number[]) => number;
}

const one = () => 1;
const half = spread(-20, 20);
const shifted = Float64Array.from(half, (x) =>
  toDouble(-x * (1 + random.between(-1, 1) * 2 ** -random.below(40))),
);
/** Quotients of 2^8 to 2^20 that are some units of 2^-48 below a whole number, as exact pairs of floats. */
const belowMultiples = (() => {
  const y = positive(spread(-4, 4));
  const x = y.map((m) => {
    const multiple = Math.floor(2 ** random.between(8, 20)) * m;
    return toDouble(multiple * (1 - random.between(1, 6) * UNIT));
  });
  const near = (k: number) => (x[k]! % y[k]!) / y[k]!;
  // Of the rest it is not told on which side of the multiple the error of 8 units leaves it.
  const kept = Array.from(x.keys()).filter((k) => near(k) > 0.5 && near(k) < 1 - 32 * UNIT);
  return { x: Float64Array.from(kept, (k) => x[k]!), y: Float64Array.from(kept, (k) => y[k]!) };
})();
export const doubleCases: Readonly<Record<string, DoubleError>> = {
  add: { text: 'ds_add(x, y)', exact: (x, y) => x! + y!, x: half, y: spread(-20, 20), bound: 3.2 },
  'add, canceling': {
    text: 'ds_add(x, y)',
    exact: (x, y) => x! + y!,
    x: half,
    y: shifted,
    bound: 3.2,
  },
  add_same: {
    text: 'ds_add_same(x, y)',
    exact: (x, y) => x! + y!,
    x: positive(half),
    y: positive(spread(-20, 20)),
    bound: 3.2,
  },
  mul_add: {
    text: 'ds_mul_add(-x, y, y)',
    exact: (x, y) => y! * y! - x!,
    x: half,
    y: spread(-20, 20),
    bound: 8,
    of: (x, y) => Math.abs(x!) + y! * y!,
  },
  'mul_add, canceling': {
    text: 'ds_mul_add(-x, y, y)',
    exact: (x, y) => y! * y! - x!,
    x: half.map((y) => toDouble(y * y * (1 + random.between(-1, 1) * 2 ** -random.below(40)))),
    y: half,
    bound: 8,
    of: (x, y) => Math.abs(x!) + y! * y!,
  },
  'sum of products': {
    text: 'ds_settled(ds_gather_product(ds_gather(ds_gather_product(vec2f(), x, y), y), -x, y))',
    exact: (_x, y) => y!,
    x: half,
    y: spread(-20, 20),
    bound: 16,
    of: (x, y) => Math.abs(x! * y!) + Math.abs(y!),
  },
  'product of products': {
    text: 'ds_mul(ds_loose_mul(x, y), ds_loose_square(y))',
    exact: (x, y) => x! * y! * (y! * y!),
    x: spread(-10, 10),
    y: spread(-10, 10),
    bound: 32,
  },
  length2: {
    text: 'ds_length2(x, y, 0.5 * x)',
    exact: (x, y) => 1.25 * x! * x! + y! * y!,
    x: half,
    y: spread(-20, 20),
    bound: 28,
  },
  'length2, largest at last': {
    text: 'ds_length2(0.5 * x, x, y)',
    exact: (x, y) => 1.25 * x! * x! + y! * y!,
    x: spread(-2, 2),
    y: spread(-1, 2),
    bound: 28,
  },
  inverse: { text: 'ds_inverse(x)', exact: (x) => 1 / x!, x: half, bound: 16 },
  square: { text: 'ds_square(x)', exact: (x) => x! * x!, x: half, bound: 4.2 },
  mul: { text: 'ds_mul(x, y)', exact: (x, y) => x! * y!, x: half, y: spread(-20, 20), bound: 6 },
  div: { text: 'ds_div(x, y)', exact: (x, y) => x! / y!, x: half, y: spread(-20, 20), bound: 16 },
  sqrt: {
    text: 'ds_sqrt(x)',
    exact: (x) => Math.sqrt(x!),
    x: positive(spread(-80, 120)),
    bound: 16,
  },
  // Compilers know much about constants, and that some functions are inverse to each other.
  'div by a constant': {
    text: 'ds_div(-x, vec2f(-7.0, 0.0))',
    exact: (x) => x! / 7,
    x: half,
    bound: 16,
  },
  'mul by a constant': {
    text: `ds_mul(x, ${doubleLiteral(0.1)})`,
    exact: (x) => x! * toDouble(0.1),
    x: half,
    bound: 6,
  },
  'div and mul': {
    text: 'ds_mul(ds_div(x, y), y)',
    exact: (x) => x!,
    x: half,
    y: spread(-20, 20),
    bound: 21,
  },
  'root of a square': {
    text: 'ds_sqrt(ds_square(x))',
    exact: (x) => Math.abs(x!),
    x: half,
    bound: 20,
  },
  rem: {
    text: 'ds_rem(x, y)',
    exact: (x, y) => x! % y!,
    x: spread(-4, 18),
    y: spread(-4, 4),
    bound: 8,
    of: (_x, y) => Math.abs(y!),
  },
  // Just short of a multiple: a quotient that is rounded up is one too large.
  'rem below multiples': {
    text: 'ds_rem(x, y)',
    exact: (x, y) => x! % y!,
    ...belowMultiples,
    bound: 8,
    of: (_x, y) => Math.abs(y!),
  },
  floor: { text: 'ds_floor(x)', exact: (x) => Math.floor(x!), x: spread(-4, 47), bound: 0 },
  ceil: { text: 'ds_ceil(x)', exact: (x) => Math.ceil(x!), x: spread(-4, 47), bound: 0 },
  trunc: { text: 'ds_trunc(x)', exact: (x) => Math.trunc(x!), x: spread(-4, 47), bound: 0 },
  round: { text: 'ds_round(x)', exact: (x) => Math.round(x!), x: spread(-4, 46), bound: 0 },
  'round half': {
    text: 'ds_round(x)',
    exact: (x) => Math.round(x!),
    x: list(() => random.below(2 ** 25) - 2 ** 24 + 0.5),
    bound: 0,
  },
  i32: {
    text: 'ds_from_i32(ds_to_i32(x))',
    exact: (x) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(x!))),
    x: spread(0, 33),
    bound: 0,
  },
  u32: {
    text: 'ds_from_u32(ds_to_u32(x))',
    exact: (x) => Math.max(0, Math.min(2 ** 32 - 1, Math.trunc(x!))),
    x: spread(0, 34),
    bound: 0,
  },
  'edges of i32': {
    text: 'ds_from_i32(ds_to_i32(x))',
    exact: (x) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(x!))),
    x: list(() => (random.chance(0.5) ? 1 : -1) * (2 ** 31 + random.below(9) - 4.5)),
    bound: 0,
  },
  'edges of u32': {
    text: 'ds_from_u32(ds_to_u32(x))',
    exact: (x) => Math.max(0, Math.min(2 ** 32 - 1, Math.trunc(x!))),
    x: list(() => 2 ** 32 + random.below(9) - 4.5),
    bound: 0,
  },
  exp: { text: 'ds_exp(x)', exact: exactExp, x: between(-54, 88.7), bound: 16 },
  'exp, small': { text: 'ds_exp(x)', exact: exactExp, x: spread(-40, 0), bound: 16 },
  log: { text: 'ds_log(x)', exact: exactLog, x: positive(spread(-100, 127)), bound: 32 },
  'log near 1': {
    text: 'ds_log(x)',
    exact: exactLog,
    x: list(() => 1 + random.between(-1, 1) * 2 ** -random.below(20)),
    bound: 32,
  },
  pow: {
    text: 'ds_pow(x, y)',
    exact: exactPow,
    x: positive(spread(-3, 3)),
    y: between(-8, 8),
    bound: 1,
    of: (x, y) => x! ** y! * (32 + 32 * Math.abs(y! * Math.log(x!))),
  },
  power: { text: 'ds_power_12(x)', exact: (x) => x! ** 12, x: spread(-3, 3), bound: 60 },
  'inverse power': { text: 'ds_power_m6(x)', exact: (x) => x! ** -6, x: spread(-3, 3), bound: 60 },
  hypot: {
    text: 'ds_hypot_2(x, y)',
    exact: (x, y) => Math.hypot(x!, y!),
    x: spread(-60, 60),
    y: spread(-60, 60),
    bound: 24,
  },
  'hypot, huge': {
    text: 'ds_hypot_2(x, y)',
    exact: (x, y) => Math.hypot(x!, y!),
    x: spread(100, 126),
    y: spread(100, 126),
    bound: 24,
  },
  tanh: { text: 'ds_tanh(x)', exact: exactTanh, x: spread(-20, 5), bound: 64 },
  sin: { text: 'ds_sin(x)', exact: exactSin, x: between(-100, 100), bound: 16, of: one },
  cos: { text: 'ds_cos(x)', exact: exactCos, x: between(-100, 100), bound: 16, of: one },
  'sin, relative': { text: 'ds_sin(x)', exact: exactSin, x: spread(-20, 1.6), bound: 16 },
  'sin near its zeros': {
    text: 'ds_sin(x)',
    exact: exactSin,
    x: list(
      () => (random.below(60) - 30) * Math.PI + random.between(-1, 1) * 2 ** -random.below(12),
    ),
    bound: 64,
  },
  'sin to 10^6': { text: 'ds_sin(x)', exact: exactSin, x: spread(6, 21), bound: 16, of: one },
  'sin, huge': { text: 'ds_sin(x)', exact: exactSin, x: spread(19, 127), bound: 16, of: one },
  // Words of the angles of the two parts add up to 2^32 − 1, and a carry comes from the word after.
  'sin, huge, a carry through a word': {
    text: 'ds_sin(x)',
    exact: exactSin,
    x: Float64Array.of(
      1229623652981.7207,
      1260325959160.5215,
      20804345720281.58,
      21505811004773.875,
      326063102415070,
      348851403705253.25,
      5506155572401540,
      5613602790391272,
    ).map(toDouble),
    bound: 16,
    of: one,
  },
  'cos, huge': { text: 'ds_cos(x)', exact: exactCos, x: spread(19, 127), bound: 16, of: one },
};
