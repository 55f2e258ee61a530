import { i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { exp } from './exp.js';
import { logOfNormal, splitExponent } from './log.js';
import {
  coldLanes,
  constant,
  inDouble,
  kept,
  type MathContext,
  polynomial,
  roundingShift,
  scaleOnce,
  type VectorMath,
} from './VectorMath.js';

/** 3·Q(z), z = s²: atanh(s) = s · (1 + z/3 + z²·Q(z)). */
const terms = [
  0.1999999999999999, 0.14285714285722556, 0.1111111110876823, 0.09090909435157316,
  0.07692278435502375, 0.06668158709504125, 0.058374092489063036, 0.059945066710952635,
].map((c) => 3 * c);

/** Minimax: exp(q) = 1 + q + q²·P(q) for |q| ≤ ln 2 / 2. */
const expTerms = [
  0.5000000000000011, 0.1666666666666641, 0.04166666666652919, 0.008333333333495625,
  0.0013888888943922588, 0.0001984126950476269, 2.4801492762843335e-5, 2.7557587344703163e-6,
  2.7630378605597917e-7, 2.4999964543436725e-8,
];

/** 2 / (3 ln 2) and ln 2, each as a sum of two. */
const C = 0.9617966939259756;
const C_HIGH = 0.9617967009544373;
const C_LOW = -7.028461650952758e-9;
const LN2 = Math.LN2;
const LN2_HIGH = 0.6931471824645996;
const LN2_LOW = -1.904654299957768e-9;

/**
 * pow on f64 lanes: at most 1 ulp off (0.89 measured); f32 lanes: at most 1 ulp (0.50, computed in f64). Special cases — negative, zero, subnormal and
 * infinite bases, overflow, underflow, NaN — are those of Math.pow, by calling it for such lanes.
 *
 * log₂ x = k + (2 / (3 ln 2)) · s·(3 + s² + …), s = (m−1)/(m+1), is computed to about 68 bits as a sum of two doubles: leading parts are
 * cut to 26 bits so that their products are exact (after fdlibm's e_pow.c).
 */
export const pow: VectorMath = (m, x, y) =>
  (m.ops.real === 'f64' ? double : single)(m, x as WasmNode, y as WasmNode);

const double: VectorMath = (m, base, power) => {
  const { F } = m.ops;
  const x = base as WasmNode;
  const y = power as WasmNode;
  const cut = (v: WasmNode) => kept(m, v128.and(v, i64x2.const(-(1n << 27n))));
  const one = constant(m, 1);
  const three = constant(m, 3);

  const split = splitExponent(m, x);
  const k = kept(m, split.k);
  const mantissa = kept(m, split.m);
  // s = (m − 1) / (m + 1) = sHigh + sLow
  const f = kept(m, F.sub(mantissa, one));
  const d = kept(m, F.add(mantissa, one));
  const v = kept(m, F.div(one, d));
  const s = kept(m, F.mul(f, v));
  const sHigh = cut(s);
  const dHigh = cut(d);
  const dLow = F.sub(mantissa, F.sub(dHigh, one));
  const sLow = kept(m, F.mul(v, F.sub(F.sub(f, F.mul(sHigh, dHigh)), F.mul(sHigh, dLow))));
  // 3 + s² + r = tHigh + tLow
  const z = kept(m, F.mul(s, s));
  const square = kept(m, F.mul(sHigh, sHigh));
  const tail = F.mul(F.mul(z, z), polynomial(m, z, terms));
  const r = kept(m, F.add(tail, F.mul(sLow, F.add(sHigh, s))));
  const tHigh = cut(F.add(F.add(three, square), r));
  const tLow = F.sub(r, F.sub(F.sub(tHigh, three), square));
  // s · (3 + s² + r) = pHigh + pLow
  const u = kept(m, F.mul(sHigh, tHigh));
  const w = kept(m, F.add(F.mul(sLow, tHigh), F.mul(tLow, s)));
  const pHigh = cut(F.add(u, w));
  const pLow = F.sub(w, F.sub(pHigh, u));
  // log₂ x = lHigh + lLow
  const zHigh = kept(m, F.mul(constant(m, C_HIGH), pHigh));
  const zLow = kept(m, F.add(F.mul(constant(m, C_LOW), pHigh), F.mul(pLow, constant(m, C))));
  const lHigh = cut(F.add(F.add(zHigh, zLow), k));
  const lLow = F.sub(zLow, F.sub(F.sub(lHigh, k), zHigh));
  // y · log₂ x = eHigh + eLow = n + (rest)
  const yHigh = cut(y);
  const eLow = kept(m, F.add(F.mul(F.sub(y, yHigh), lHigh), F.mul(y, lLow)));
  const eHigh = kept(m, F.mul(yHigh, lHigh));
  const e = kept(m, F.add(eLow, eHigh));
  const shift = roundingShift(m);
  const t = kept(m, F.add(e, shift));
  const rest = kept(m, F.sub(eHigh, F.sub(t, shift)));
  // rest · ln 2 = q + c
  const g = cut(F.add(eLow, rest));
  const a = kept(m, F.mul(g, constant(m, LN2_HIGH)));
  const b = kept(
    m,
    F.add(F.mul(F.sub(eLow, F.sub(g, rest)), constant(m, LN2)), F.mul(g, constant(m, LN2_LOW))),
  );
  const q = kept(m, F.add(a, b));
  const c = kept(m, F.sub(b, F.sub(q, a)));
  const higher = F.mul(F.mul(q, q), polynomial(m, q, expTerms));
  const value = F.add(one, F.add(q, F.add(higher, F.add(c, F.mul(q, c)))));

  const normal = v128.and(F.ge(x, constant(m, 2 ** -1022)), F.le(x, constant(m, Number.MAX_VALUE)));
  const moderate = F.le(F.abs(e), constant(m, 1021));
  return coldLanes(m, 'pow', [x, y], v128.and(normal, moderate), scaleOnce(m, value, t));
};

const single = (m: MathContext, x: WasmNode, y: WasmNode): WasmNode => {
  const { F } = m.ops;
  const largest = constant(m, (2 - 2 ** -23) * 2 ** 127);
  const value = inDouble(m, [x, y], (wide, base, power) => {
    const exponent = wide.ops.F.mul(power as WasmNode, logOfNormal(wide, base as WasmNode));
    return exp(wide, kept(wide, exponent));
  });
  const usual = v128.and(
    v128.and(F.gt(x, constant(m, 0)), F.le(x, largest)),
    F.le(F.abs(y), largest),
  );
  return coldLanes(m, 'pow', [x, y], usual, value);
};
