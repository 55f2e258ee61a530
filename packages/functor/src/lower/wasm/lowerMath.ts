import type { Expr, MathName } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import type { Lowering } from './Lowering.js';
import { exp } from './math/exp.js';
import { hypot } from './math/hypot.js';
import { integerPower } from './math/integerPower.js';
import { log } from './math/log.js';
import { pow } from './math/pow.js';
import { fround, max, min, round, sign } from './math/rounding.js';
import { cos, sin } from './math/sincos.js';
import { tanh } from './math/tanh.js';
import { applyVector, type VectorMath } from './math/VectorMath.js';
import { f32, f64, i8x16, i32, i32x4, i64, i64x2, select } from './ops.js';
import type { WasmNode } from './WasmNode.js';

const vectorFunctions: Partial<Record<MathName, VectorMath>> = {
  round,
  sign,
  fround,
  min,
  max,
  exp,
  log,
  pow,
  sin,
  cos,
  tanh,
  hypot,
};

/** Math.* — native instructions where there are some, our vector functions elsewhere. */
export function lowerMath(
  l: Lowering,
  e: Extract<Expr, { kind: 'math' }>,
  args: readonly LaneValue[],
): LaneValue {
  const { ops } = l;
  if (e.type !== 'real') return integerMath(l, e, args);
  const [a, b] = args;
  const scalar = ops.real === 'f64' ? f64 : f32;
  if (!a) {
    // Math.min(), Math.max() and Math.hypot() of nothing.
    const nothing =
      e.name === 'min' ? Number.POSITIVE_INFINITY : e.name === 'max' ? Number.NEGATIVE_INFINITY : 0;
    return ops.uniform('real', scalar.const(nothing));
  }
  switch (e.name) {
    case 'sqrt':
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'trunc':
      if (a.uniform) return ops.uniform('real', scalar[e.name](a.node));
      return ops.varying('real', ops.F[e.name](a.node));
    case 'min':
    case 'max': {
      const two = e.name === 'min' ? min : max;
      return args.slice(1).reduce((m, x) => {
        if (m.uniform && x.uniform)
          return ops.uniform('real', scalar[e.name as 'min' | 'max'](m.node, x.node));
        return applyVector(l, two, [m, x]);
      }, a);
    }
    case 'fround':
      if (ops.real === 'f32') return a;
      if (a.uniform) return ops.uniform('real', f64.promote_f32(f32.demote_f64(a.node)));
      break;
    case 'pow': {
      const power = e.args[1];
      if (b && power?.kind === 'number') {
        const product = integerPower(l, a, power.value);
        if (product) return product;
      }
      break;
    }
  }
  const apply = vectorFunctions[e.name];
  if (!apply) throw new Error(`Math.${e.name} has no lowering`);
  return applyVector(l, apply, args);
}

/** abs, min, max, sign of ints. */
function integerMath(
  l: Lowering,
  e: Extract<Expr, { kind: 'math' }>,
  args: readonly LaneValue[],
): LaneValue {
  const { ops, builder } = l;
  const [first, ...rest] = args;
  if (!first) throw new Error(`Math.${e.name} of ints needs an argument`);
  if (e.name === 'mulHigh') return upperProduct(l, first, rest[0]!);
  const unsigned = e.type === 'u32';
  const suffix = unsigned ? 'u' : 's';
  switch (e.name) {
    case 'min':
    case 'max': {
      const name = e.name;
      return rest.reduce((m, x) => {
        if (!m.uniform || !x.uniform) {
          return ops.varying(e.type, i32x4[`${name}_${suffix}`](ops.vector(m), ops.vector(x)));
        }
        const [p, q] = [ops.keep(m).node, ops.keep(x).node];
        const smaller = i32[`${name === 'min' ? 'lt' : 'gt'}_${suffix}`](p, q);
        return ops.uniform(e.type, select(smaller, p, q));
      }, first);
    }
    case 'abs': {
      if (unsigned) return first;
      if (!first.uniform) return ops.varying(e.type, i32x4.abs(first.node));
      const x = builder.keep(first.node, 'i32');
      return ops.uniform(e.type, select(i32.lt_s(x, i32.const(0)), i32.sub(i32.const(0), x), x));
    }
    case 'sign': {
      if (first.uniform) {
        const x = builder.keep(first.node, 'i32');
        if (unsigned) return ops.uniform(e.type, i32.ne(x, i32.const(0)));
        return ops.uniform(e.type, i32.or(i32.shr_s(x, i32.const(31)), i32.ne(x, i32.const(0))));
      }
      const x = builder.keep(first.node, 'v128');
      if (unsigned) return ops.varying(e.type, i32x4.min_u(x, i32x4.const(1)));
      return ops.varying(e.type, i32x4.max_s(i32x4.min_s(x, i32x4.const(1)), i32x4.const(-1)));
    }
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'round':
      return first;
    default:
      throw new Error(`Math.${e.name} of ints is not in the intermediate representation`);
  }
}

/** Upper words of two 64-bit lanes to i32 lanes 0 and 1; the second vector's to 2 and 3. */
const UPPER_WORDS = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];

/** The upper 32 bits of products of u32. */
function upperProduct(l: Lowering, first: LaneValue, second: LaneValue): LaneValue {
  const { ops, builder } = l;
  if (first.uniform && second.uniform) {
    const product = i64.mul(i64.extend_i32_u(first.node), i64.extend_i32_u(second.node));
    return ops.uniform('u32', i32.wrap_i64(i64.shr_u(product, i64.const(32n))));
  }
  const [a, b] = [first, second].map((v) => builder.keep(ops.vector(v), 'v128')) as [
    WasmNode,
    WasmNode,
  ];
  const low = builder.keep(i64x2.extmul_low_i32x4_u(a, b), 'v128');
  const high = ops.lanes === 4 ? i64x2.extmul_high_i32x4_u(a, b) : low;
  return ops.varying('u32', i8x16.shuffle(UPPER_WORDS, low, high));
}
