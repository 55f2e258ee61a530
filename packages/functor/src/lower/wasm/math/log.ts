import { f32x4, f64x2, i32x4, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import {
  constant,
  kept,
  type MathContext,
  polynomial,
  rarely,
  type VectorMath,
} from './VectorMath.js';

/** R(z) = z·L(z), z = s²: log((1+s)/(1−s)) = 2s + s·R, for |s| ≤ (√2−1)/(√2+1). */
const f64Terms = [
  0.6666666666666734, 0.3999999999941432, 0.2857142874247499, 0.22222198563476092,
  0.1818356486706799, 0.1531403582694726, 0.14796105510223936,
];
const f32Terms = [0.6666677671704206, 0.3997749558082199, 0.29873073233821745];

export interface Split {
  /** x = 2^k · m with √½ ≤ m < √2, for normal positive x. */
  readonly k: WasmNode;
  readonly m: WasmNode;
}

/** Splits normal positive numbers; `less` is taken off k. */
export function splitExponent(m: MathContext, x: WasmNode, { less = 0 } = {}): Split {
  if (m.ops.real === 'f64') {
    const sqrtHalf = 0x3fe6a09e667f3bcdn;
    const one = 0x3ff0000000000000n;
    const shifted = kept(m, i64x2.add(x, i64x2.const(one - sqrtHalf)));
    // The exponent field becomes the low bits of a double between 2⁵² and 2⁵³.
    const field = v128.or(i64x2.shr_u(shifted, ['i32.const', 52]), constant(m, 2 ** 52));
    const mantissa = v128.and(shifted, i64x2.const(0x000fffffffffffffn));
    return {
      k: f64x2.sub(field, constant(m, 2 ** 52 + 1023 + less)),
      m: i64x2.add(mantissa, i64x2.const(sqrtHalf)),
    };
  }
  const sqrtHalf = 0x3f3504f3;
  const shifted = kept(m, i32x4.add(x, i32x4.const(0x3f800000 - sqrtHalf)));
  const field = i32x4.sub(i32x4.shr_u(shifted, ['i32.const', 23]), i32x4.const(127 + less));
  const mantissa = v128.and(shifted, i32x4.const(0x007fffff));
  return {
    k: f32x4.convert_i32x4_s(field),
    m: i32x4.add(mantissa, i32x4.const(sqrtHalf)),
  };
}

/** log of 2^k·x for normal positive x. */
export function logOfNormal(m: MathContext, x: WasmNode, extra: WasmNode | null = null): WasmNode {
  const { F, real } = m.ops;
  const f64 = real === 'f64';
  const split = splitExponent(m, x);
  const k = kept(m, extra ? F.add(split.k, extra) : split.k);
  const f = kept(m, F.sub(split.m, constant(m, 1)));
  const half = kept(m, F.mul(constant(m, 0.5), F.mul(f, f)));
  const s = kept(m, F.div(f, F.add(constant(m, 2), f)));
  const z = kept(m, F.mul(s, s));
  const R = F.mul(z, polynomial(m, z, f64 ? f64Terms : f32Terms));
  const high = F.mul(k, constant(m, f64 ? 0.6931471803691238 : 0.693359375));
  const low = F.mul(k, constant(m, f64 ? 1.9082149292705877e-10 : -0.00021219444005469057));
  const small = F.add(F.mul(s, F.add(half, R)), low);
  return F.sub(high, F.sub(F.sub(half, small), f));
}

/**
 * log on f64 lanes: at most 1 ulp off (0.81 measured), f32 lanes: at most 1 ulp (0.80), over the whole range: subnormals, log(±0) = −Infinity,
 * log(Infinity) = Infinity, NaN below 0. Anything but normal positive numbers costs a branch.
 */
export const log: VectorMath = (m, argument) => {
  const { builder } = m;
  const { F, real } = m.ops;
  const x = argument as WasmNode;
  const f64 = real === 'f64';
  const [smallest, largest] = f64
    ? [2 ** -1022, Number.MAX_VALUE]
    : [2 ** -126, (2 - 2 ** -23) * 2 ** 127];
  const lift = f64 ? 54 : 25;
  const normal = v128.and(F.ge(x, constant(m, smallest)), F.le(x, constant(m, largest)));
  if (typeof m.suspects === 'number') {
    rarely(m, v128.not(normal), () => {});
    return logOfNormal(m, x);
  }
  const odd = kept(m, m.mask ? v128.andnot(m.mask, normal) : v128.not(normal));
  const any = builder.keep(v128.any_true(odd), 'i32');
  const scaled = builder.variable(x, 'v128');
  const extra = builder.variable(m.ops.none, 'v128');
  builder.if(any, () => {
    const tiny = kept(m, F.lt(x, F.const(smallest)));
    builder.set(scaled, v128.bitselect(F.mul(x, F.const(2 ** lift)), x, tiny));
    builder.set(extra, v128.and(F.const(-lift), tiny));
  });
  const result = builder.variable(logOfNormal(m, builder.get(scaled), builder.get(extra)), 'v128');
  builder.if(any, () => {
    const choose = (value: number, where: WasmNode) =>
      builder.set(result, v128.bitselect(F.const(value), builder.get(result), where));
    choose(Number.POSITIVE_INFINITY, F.gt(x, F.const(largest)));
    choose(Number.NEGATIVE_INFINITY, F.eq(x, F.const(0)));
    choose(Number.NaN, v128.not(F.ge(x, F.const(0))));
  });
  return builder.get(result);
};
