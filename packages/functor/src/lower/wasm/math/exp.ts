import { i32, i32x4, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { fractionOfSteps, powerOfSteps, STEP_BITS, STEPS } from './expTable.js';
import {
  constant,
  kept,
  type MathContext,
  madd,
  nmadd,
  polynomial,
  rarely,
  roundingShift,
  scaleOnce,
  type VectorMath,
} from './VectorMath.js';

/**
 * exp on f64 lanes: at most 1.05 ulp off (1.034 measured), f32 lanes: at most 1 ulp (0.88 measured), over the whole range: subnormal
 * results, overflow to Infinity, exp(−Infinity) = 0, NaN. Results that are not normal numbers cost a branch.
 *
 * Speed decides here: pair kernels with an exponential are limited by how many instructions the processor looks ahead, so a table of
 * rounded powers and a short polynomial beat a long polynomial by far, at the price of the table's half ulp.
 */
export const exp: VectorMath = (m, x) => (m.ops.real === 'f64' ? double : single)(m, x as WasmNode);

/** Halves the range of |r| ≤ ln 2 / 512: the error of Taylor's terms is spread evenly. */
const CUBIC = 1 / 6 + (0.87 * (Math.LN2 / 512) ** 2) / 120;

/** exp(x) = 2^(n/256) · exp(r), n = round(256 x / ln 2); 2^(n/256) from a table, exp(r) − 1 = r + r²/2 + r³/6 + r⁴/24. */
const double: VectorMath = (m, argument) => {
  const { F } = m.ops;
  const x = argument as WasmNode;
  const { n, t, high, low } = reduced(m, x, STEPS, 0.6931471803691238, 1.9082149292705877e-10);
  const r = kept(m, nmadd(m, n, low, high));
  const square = kept(m, F.mul(r, r));
  const terms = madd(m, r, constant(m, CUBIC), constant(m, 0.5));
  const small = kept(m, madd(m, square, madd(m, square, constant(m, 1 / 24), terms), r));
  const scale = kept(m, powerOfSteps(m, t));
  const result = m.builder.variable(madd(m, scale, small, scale), 'v128');
  // From 2^-960 down, products with small would be subnormal and lose digits.
  rarely(m, F.gt(F.abs(x), constant(m, 664)), () => {
    const fraction = kept(m, fractionOfSteps(m, t));
    const whole = i64x2.sub(t, roundingShift(m));
    const power = kept(m, i64x2.shr_s(whole, i32.const(STEP_BITS)));
    const y = madd(m, fraction, small, fraction);
    m.builder.set(result, extremes(m, x, 746, scaleTwice(m, y, power)));
  });
  return m.builder.get(result);
};

/** Minimax: exp(r) = 1 + r + r²·P(r) for |r| ≤ ln 2 / 2. */
const singleTerms = [
  0.49999993050733915, 0.1666651479149459, 0.04166845678427876, 0.008369418827166101,
  0.0013813144699752484,
];

/** exp(x) = 2ⁿ · exp(r), n = round(x / ln 2). */
const single: VectorMath = (m, argument) => {
  const { F } = m.ops;
  const x = argument as WasmNode;
  const { n, t, high, low } = reduced(m, x, 1, 0.693359375, -0.00021219444005469057);
  const rest = kept(m, F.mul(n, low));
  const r = kept(m, F.sub(high, rest));
  const higher = F.mul(F.mul(r, r), polynomial(m, r, singleTerms));
  const y = kept(m, F.add(constant(m, 1), F.add(high, F.sub(higher, rest))));
  const result = m.builder.variable(scaleOnce(m, y, t), 'v128');
  rarely(m, F.gt(F.abs(x), constant(m, 87)), () => {
    const power = kept(m, i32x4.sub(t, roundingShift(m)));
    m.builder.set(result, extremes(m, x, 105, scaleTwice(m, y, power)));
  });
  return m.builder.get(result);
};

/** x = n · ln 2 / steps + r with r = high − n·low. The high part of ln 2 has so many trailing zeros that its product with n is exact. */
function reduced(m: MathContext, x: WasmNode, steps: number, high: number, low: number) {
  const { F } = m.ops;
  const shift = roundingShift(m);
  const t = kept(m, madd(m, x, constant(m, steps * Math.LOG2E), shift));
  const n = kept(m, F.sub(t, shift));
  return {
    /** Rounded, and as the low bits of each lane. */
    n,
    t,
    high: kept(m, nmadd(m, n, constant(m, high / steps), x)),
    low: constant(m, low / steps),
  };
}

/** y · 2ⁿ as y · 2^⌊n/2⌋ · 2^(n − ⌊n/2⌋), which are normal numbers. */
function scaleTwice(m: MathContext, y: WasmNode, n: WasmNode): WasmNode {
  const { F, real } = m.ops;
  const I = real === 'f64' ? i64x2 : i32x4;
  const one = constant(m, 1);
  const power = (k: WasmNode) => I.add(I.shl(k, i32.const(real === 'f64' ? 52 : 23)), one);
  const half = kept(m, I.shr_s(n, i32.const(1)));
  return F.mul(F.mul(y, power(half)), power(I.sub(n, half)));
}

/** Infinity above the limit and 0 below its negative, where n is out of all bounds. */
function extremes(m: MathContext, x: WasmNode, limit: number, value: WasmNode): WasmNode {
  const { F } = m.ops;
  const infinite = constant(m, Number.POSITIVE_INFINITY);
  const upper = v128.bitselect(infinite, value, F.gt(x, constant(m, limit)));
  return v128.andnot(upper, F.lt(x, constant(m, -limit)));
}
