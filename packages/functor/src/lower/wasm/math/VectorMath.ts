import type { LaneValue } from '../BodyEnv.js';
import type { FunctionBuilder } from '../FunctionBuilder.js';
import { LaneOps } from '../LaneOps.js';
import type { Lowering } from '../Lowering.js';
import { call, f32, f32x4, f64, f64x2, i8x16, i32x4, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';

/** What a vector function needs to know; `lanes` may be 1, then lane 0 counts. */
export interface MathContext {
  readonly builder: FunctionBuilder;
  readonly ops: LaneOps;
  /** Lanes whose results matter: cold paths are taken for them only. Null: all. */
  readonly mask: WasmNode | null;
  /** See `LowerOptions.suspects`. */
  readonly suspects?: number | null;
  /** Fuse multiply and add where error bounds do not depend on it. Default: false. */
  readonly relaxed?: boolean;
}

/** A function on v128 arguments that are cheap to repeat; emits statements as needed and returns the result. */
export type VectorMath = (m: MathContext, ...args: readonly WasmNode[]) => WasmNode;

/** Applies a vector function; a uniform result is computed on splatted lanes, so that all forms give the same bits. */
export function applyVector(l: Lowering, f: VectorMath, args: readonly LaneValue[]): LaneValue {
  const { builder, ops } = l;
  const uniform = args.every((a) => a.uniform);
  const vectors = args.map((a) => builder.keep(ops.vector(a), 'v128'));
  const { suspects, relaxed } = l;
  const result = f({ builder, ops, mask: uniform ? null : l.mask, suspects, relaxed }, ...vectors);
  return uniform ? ops.uniform('real', ops.F.extract(0, result)) : ops.varying('real', result);
}

/** A constant on all lanes. (Setting it once before the loop gains nothing: V8 sees through locals.) */
export const constant = (m: MathContext, value: number): WasmNode => m.ops.F.const(value);

/** Treats lanes that need more care: at once, after a branch, or only notes them where the scaffold repeats the work. */
export function rarely(m: MathContext, needCare: WasmNode, emit: () => void): void {
  const { builder, mask, suspects } = m;
  const lanes = mask ? v128.and(mask, needCare) : needCare;
  if (typeof suspects === 'number') {
    builder.set(suspects, v128.or(builder.get(suspects), lanes));
  } else builder.if(v128.any_true(lanes), emit);
}

/**
 * Replaces the lanes of `result` where `good` does not hold by calls of the scalar `math.<name>`. Nothing is called while all lanes
 * that matter are good.
 */
export function coldLanes(
  m: MathContext,
  name: string,
  args: readonly WasmNode[],
  good: WasmNode,
  result: WasmNode,
): WasmNode {
  const { builder, ops } = m;
  const ok = builder.keep(good, 'v128');
  const out = builder.variable(result, 'v128');
  rarely(m, v128.not(ok), () => {
    const lanes = ops.real === 'f64' ? 2 : 4;
    let replaced: WasmNode = builder.get(out);
    for (let k = 0; k < Math.min(lanes, Math.max(1, ops.lanes)); k++) {
      const scalars = args.map((a) => ops.F.extract(k, a));
      const value =
        ops.real === 'f64'
          ? call(`math.${name}`, ...scalars)
          : f32.demote_f64(call(`math.${name}`, ...scalars.map((s) => f64.promote_f32(s))));
      replaced = ops.F.replace(k, replaced, value);
    }
    builder.set(out, v128.bitselect(builder.get(out), replaced, ok));
  });
  return builder.get(out);
}

/** a·b + c. */
export const madd = (m: MathContext, a: WasmNode, b: WasmNode, c: WasmNode): WasmNode =>
  m.relaxed ? m.ops.F.relaxed_madd(a, b, c) : m.ops.F.add(c, m.ops.F.mul(a, b));

/** c − a·b. */
export const nmadd = (m: MathContext, a: WasmNode, b: WasmNode, c: WasmNode): WasmNode =>
  m.relaxed ? m.ops.F.relaxed_nmadd(a, b, c) : m.ops.F.sub(c, m.ops.F.mul(a, b));

/** Adding this to a number below 2⁵¹ (2²²) leaves its nearest integer in the low bits. */
export const roundingShift = (m: MathContext): WasmNode =>
  constant(m, m.ops.real === 'f64' ? 1.5 * 2 ** 52 : 1.5 * 2 ** 23);

/** y · 2ⁿ, n in the low bits of `t`, where the result is a normal number. */
export function scaleOnce(m: MathContext, y: WasmNode, t: WasmNode): WasmNode {
  const f64 = m.ops.real === 'f64';
  const I = f64 ? i64x2 : i32x4;
  return I.add(y, I.shl(t, ['i32.const', f64 ? 52 : 23]));
}

/** c0 + c1·x + c2·x² + … by Estrin's scheme: short chains of dependent operations. */
export function polynomial(m: MathContext, x: WasmNode, coefficients: readonly number[]): WasmNode {
  const { F } = m.ops;
  let terms = coefficients.map((c) => constant(m, c));
  for (let power = x; terms.length > 1; power = m.builder.keep(F.mul(power, power), 'v128')) {
    const next: WasmNode[] = [];
    for (let k = 0; k < terms.length; k += 2) {
      const [low, high] = [terms[k] as WasmNode, terms[k + 1]];
      next.push(high ? madd(m, high, power, low) : low);
    }
    terms = next;
    if (terms.length === 1) break;
  }
  return terms[0] as WasmNode;
}

/** Keeps a vector. */
export const kept = (m: MathContext, value: WasmNode): WasmNode => m.builder.keep(value, 'v128');

const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const JOIN_LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/** Computes on f32 lanes in f64: `f` gets each half of the arguments as f64x2 and gives f64x2s. */
export function inDouble(
  m: MathContext,
  args: readonly WasmNode[],
  f: (wide: MathContext, ...halves: readonly WasmNode[]) => WasmNode,
): WasmNode {
  const wide: MathContext = {
    ...m,
    ops: new LaneOps(m.builder, { lanes: 2, real: 'f64' }),
    mask: null,
  };
  const low = args.map((a) => kept(m, f64x2.promote_low_f32x4(a)));
  const first = kept(m, f32x4.demote_f64x2_zero(f(wide, ...low)));
  if (m.ops.lanes === 1) return first;
  const high = args.map((a) => kept(m, f64x2.promote_low_f32x4(i8x16.shuffle(HIGH_HALF, a, a))));
  const second = kept(m, f32x4.demote_f64x2_zero(f(wide, ...high)));
  return i8x16.shuffle(JOIN_LOW_HALVES, first, second);
}
