import { i32x4, i64x2 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { constant, kept, type MathContext, polynomial, type VectorMath } from './VectorMath.js';

/**
 * exp(x) = 2ⁿ · exp(r), n = round(x / ln 2), |r| ≤ ln 2 / 2; exp(r) = 1 + r + r²·P(r) with minimax P. Scaling by 2ⁿ in two steps
 * gives subnormal results and overflow their right values without a branch.
 */
const f64Terms = [
  0.5000000000000011, 0.1666666666666641, 0.04166666666652919, 0.008333333333495625,
  0.0013888888943922588, 0.0001984126950476269, 2.4801492762843335e-5, 2.7557587344703163e-6,
  2.7630378605597917e-7, 2.4999964543436725e-8,
];
const f32Terms = [
  0.49999993050733915, 0.1666651479149459, 0.04166845678427876, 0.008369418827166101,
  0.0013813144699752484,
];

export interface ExpParts {
  /** exp(r), about √½ … √2. */
  readonly mantissa: WasmNode;
  /** n in the low bits of each lane. */
  readonly exponent: WasmNode;
}

/** 1 + r + r²·P(r) + small, for |r| ≤ ln 2 / 2; r must be cheap to repeat. */
export function expOfReduced(
  m: MathContext,
  r: WasmNode,
  head: WasmNode,
  small: (higher: WasmNode) => WasmNode,
): WasmNode {
  const { F, real } = m.ops;
  const higher = F.mul(F.mul(r, r), polynomial(m, r, real === 'f64' ? f64Terms : f32Terms));
  return F.add(constant(m, 1), F.add(head, small(higher)));
}

/** Adding this to a number below 2⁵¹ (2²²) leaves its nearest integer in the low bits. */
export const roundingShift = (m: MathContext): WasmNode =>
  constant(m, m.ops.real === 'f64' ? 1.5 * 2 ** 52 : 1.5 * 2 ** 23);

/**
 * exp on f64 lanes: at most 1 ulp off (0.9 measured), f32 lanes: at most 1 ulp (0.9 measured), over the whole range: subnormal results,
 * overflow to Infinity, exp(−Infinity) = 0, NaN.
 */
export const exp: VectorMath = (m, x) => {
  const { F, real } = m.ops;
  const f64 = real === 'f64';
  const top = constant(m, f64 ? 710 : 90);
  const bottom = constant(m, f64 ? -746 : -105);
  const clamped = kept(m, F.pmax(F.pmin(x as WasmNode, top), bottom)); // keeps NaN
  const shift = roundingShift(m);
  const t = kept(m, F.add(F.mul(clamped, constant(m, Math.LOG2E)), shift));
  const n = kept(m, F.sub(t, shift));
  // The high part of ln 2 has so many trailing zeros that its product with n is exact.
  const high = kept(
    m,
    F.sub(clamped, F.mul(n, constant(m, f64 ? 0.6931471803691238 : 0.693359375))),
  );
  const low = kept(
    m,
    F.mul(n, constant(m, f64 ? 1.9082149292705877e-10 : -0.00021219444005469057)),
  );
  const r = kept(m, F.sub(high, low));
  const y = expOfReduced(m, r, high, (higher) => F.sub(higher, low));
  return scaleTwice(m, y, t);
};

/** y · 2ⁿ, n in the low bits of `t`, as y · 2^⌊n/2⌋ · 2^(n − ⌊n/2⌋). */
function scaleTwice(m: MathContext, y: WasmNode, t: WasmNode): WasmNode {
  const { F, real } = m.ops;
  const I = real === 'f64' ? i64x2 : i32x4;
  const bits: WasmNode = ['i32.const', real === 'f64' ? 52 : 23];
  const first = kept(m, I.shl(I.shr_u(t, ['i32.const', 1]), bits));
  const second = I.sub(I.shl(t, bits), first);
  return F.mul(I.add(y, first), I.add(second, constant(m, 1)));
}

/** y · 2ⁿ where the result is a normal number. */
export function scaleOnce(m: MathContext, y: WasmNode, t: WasmNode): WasmNode {
  const f64 = m.ops.real === 'f64';
  const I = f64 ? i64x2 : i32x4;
  return I.add(y, I.shl(t, ['i32.const', f64 ? 52 : 23]));
}
