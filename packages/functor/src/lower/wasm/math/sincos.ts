import { LaneOps } from '../LaneOps.js';
import { f32x4, f64x2, i8x16, i32x4, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import {
  coldLanes,
  constant,
  kept,
  type MathContext,
  polynomial,
  roundingShift,
  type VectorMath,
} from './VectorMath.js';

/** sin y = y + y³·S(y²), cos y = 1 − y²/2 + y⁴·C(y²), |y| ≤ π/4. */
const sin64 = [
  -0.16666666666666632, 0.00833333333332237, -0.00019841269829771162, 2.7557313678664547e-6,
  -2.505075596126516e-8, 1.5896666501124488e-10,
];
const cos64 = [
  0.0416666666666666, -0.0013888888888874064, 2.4801587289443475e-5, -2.7557314340658475e-7,
  2.0875721623655564e-9, -1.1359559329882765e-11,
];
const sin32 = [-0.1666665490864251, 0.008332175846968375, -0.00019516977555838902];
const cos32 = [0.0416666468072, -0.0013887364486015017, 2.443809102416127e-5];

/** π/2 in three parts; products of the first two (33 bits each) with n < 2²⁰ are exact. */
const PI_2 = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;
/** Up to here n = round(|x| · 2/π) keeps within 20 bits. */
const LARGEST = 1e6;

/** |x| = n·π/2 + y + small, n in the low bits of `t`. */
interface Reduced {
  readonly y: WasmNode;
  readonly small: WasmNode | null;
  readonly t: WasmNode;
  /** Lanes for which the reduction is exact enough. */
  readonly good: WasmNode;
}

function reduceDouble(m: MathContext, x: WasmNode): Reduced {
  const { F } = m.ops;
  const shift = roundingShift(m);
  const t = kept(m, F.add(F.mul(x, constant(m, 2 / Math.PI)), shift));
  const n = kept(m, F.sub(t, shift));
  const part = (k: 0 | 1 | 2) => F.mul(n, constant(m, PI_2[k]));
  const first = kept(m, F.sub(x, part(0)));
  const second = kept(m, part(1));
  const r = kept(m, F.sub(first, second));
  const low = kept(m, F.sub(F.sub(F.sub(first, r), second), part(2)));
  const y = kept(m, F.add(r, low));
  const small = kept(m, F.add(F.sub(r, y), low));
  // Next to a multiple of π/2 too many digits cancel.
  const clear = v128.or(F.ge(F.abs(y), constant(m, 2 ** -18)), F.lt(x, constant(m, 0.5)));
  return { y, small, t, good: v128.and(F.le(x, constant(m, LARGEST)), clear) };
}

const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const EVEN_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** f32 lanes are reduced in f64. */
function reduceSingle(m: MathContext, x: WasmNode): Reduced {
  const wide: MathContext = { ...m, ops: new LaneOps(m.builder, { lanes: 2, real: 'f64' }) };
  const shift = roundingShift(wide);
  const half = (v: WasmNode) => {
    const t = kept(m, f64x2.add(f64x2.mul(v, constant(wide, 2 / Math.PI)), shift));
    const n = kept(m, f64x2.sub(t, shift));
    const first = f64x2.sub(v, f64x2.mul(n, constant(wide, PI_2[0])));
    const y = f64x2.sub(first, f64x2.mul(n, constant(wide, PI_2[1])));
    return { t, y: kept(m, f32x4.demote_f64x2_zero(y)) };
  };
  const low = half(kept(m, f64x2.promote_low_f32x4(x)));
  const high = half(kept(m, f64x2.promote_low_f32x4(i8x16.shuffle(HIGH_HALF, x, x))));
  return {
    y: kept(m, i8x16.shuffle(LOW_HALVES, low.y, high.y)),
    small: null,
    t: kept(m, i8x16.shuffle(EVEN_WORDS, low.t, high.t)),
    good: m.ops.F.le(x, constant(m, LARGEST)),
  };
}

/** sin(n·π/2 + y + small), by the quadrant n. */
function ofReduced(m: MathContext, { y, small }: Reduced, quadrant: WasmNode): WasmNode {
  const { F, real } = m.ops;
  const f64 = real === 'f64';
  const I = f64 ? i64x2 : i32x4;
  const z = kept(m, F.mul(y, y));
  const half = kept(m, F.mul(z, constant(m, 0.5)));
  const one = constant(m, 1);
  const cube = F.mul(F.mul(y, z), polynomial(m, z, f64 ? sin64 : sin32));
  const sine = F.add(y, small ? F.add(cube, F.sub(small, F.mul(half, small))) : cube);
  const w = kept(m, F.sub(one, half));
  const fourth = F.mul(F.mul(z, z), polynomial(m, z, f64 ? cos64 : cos32));
  const correction = small ? F.sub(fourth, F.mul(y, small)) : fourth;
  const cosine = F.add(w, F.add(F.sub(F.sub(one, w), half), correction));
  const bit = (b: bigint) => (f64 ? i64x2.const(b) : i32x4.const(Number(b)));
  const odd = I.eq(v128.and(quadrant, bit(1n)), bit(1n));
  const sign = I.shl(v128.and(quadrant, bit(2n)), ['i32.const', f64 ? 62 : 30]);
  return v128.xor(v128.bitselect(cosine, sine, odd), sign);
}

const reduce = (m: MathContext, x: WasmNode): Reduced =>
  (m.ops.real === 'f64' ? reduceDouble : reduceSingle)(m, x);

/**
 * sin on f64 lanes: at most 1 ulp off (0.82 measured), f32 lanes: at most 2 ulp (1.51 measured). Beyond |x| = 10⁶ and (f64) very near to multiples of π/2 lanes
 * call Math.sin, which is right everywhere; ±Infinity and NaN give NaN, sin(−0) = −0.
 */
export const sin: VectorMath = (m, argument) => {
  const x = argument as WasmNode;
  const reduced = reduce(m, kept(m, m.ops.F.abs(x)));
  const value = ofReduced(m, reduced, reduced.t);
  const signed = v128.xor(value, v128.and(x, constant(m, -0)));
  return coldLanes(m, 'sin', [x], reduced.good, signed);
};

/** cos; bounds and special cases as for {@link sin}. */
export const cos: VectorMath = (m, argument) => {
  const x = argument as WasmNode;
  const f64 = m.ops.real === 'f64';
  const reduced = reduce(m, kept(m, m.ops.F.abs(x)));
  // cos x = sin(x + π/2)
  const next = f64 ? i64x2.add(reduced.t, i64x2.const(1n)) : i32x4.add(reduced.t, i32x4.const(1));
  return coldLanes(m, 'cos', [x], reduced.good, ofReduced(m, reduced, kept(m, next)));
};
