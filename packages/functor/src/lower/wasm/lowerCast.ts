import type { LaneValue } from './BodyEnv.js';
import type { Lowering } from './Lowering.js';
import { f32, f64, i32, i32x4, select, v128 } from './ops.js';

/** Conversions between value types: truncating and saturating, NaN to 0, true to 1. */
export function lowerCast(l: Lowering, a: LaneValue, to: 'real' | 'i32' | 'u32'): LaneValue {
  const { ops } = l;
  if (a.type === to) return a;
  const wide = ops.real === 'f64';
  if (a.type === 'bool') {
    if (a.uniform)
      return to === 'real' ? integerToReal(l, { ...a, type: 'i32' }) : ops.uniform(to, a.node);
    if (to === 'real') return ops.varying('real', v128.and(a.node, ops.F.const(1)));
    return ops.varying(to, v128.and(ops.intMask(a.node), i32x4.const(1)));
  }
  if (to === 'real') return integerToReal(l, a);
  if (a.type === 'real') {
    const sign = to === 'u32' ? 'u' : 's';
    if (a.uniform) return ops.uniform(to, i32[`trunc_sat_${ops.real}_${sign}`](a.node));
    return ops.varying(
      to,
      wide
        ? i32x4[`trunc_sat_f64x2_${sign}_zero`](a.node)
        : i32x4[`trunc_sat_f32x4_${sign}`](a.node),
    );
  }
  // Between i32 and u32: what the other cannot hold becomes its nearest value.
  if (!a.uniform) {
    const limited =
      to === 'u32'
        ? i32x4.max_s(a.node, i32x4.const(0))
        : i32x4.min_u(a.node, i32x4.const(0x7fffffff));
    return ops.varying(to, limited);
  }
  const kept = l.builder.keep(a.node, 'i32');
  const limit = i32.const(to === 'u32' ? 0 : 0x7fffffff);
  return ops.uniform(to, select(i32.lt_s(kept, i32.const(0)), limit, kept));
}

function integerToReal(l: Lowering, a: LaneValue): LaneValue {
  const { ops } = l;
  const sign = a.type === 'u32' ? 'u' : 's';
  if (a.uniform)
    return ops.uniform('real', (ops.real === 'f64' ? f64 : f32)[`convert_i32_${sign}`](a.node));
  if (ops.real === 'f64') return ops.varying('real', [`f64x2.convert_low_i32x4_${sign}`, a.node]);
  return ops.varying('real', [`f32x4.convert_i32x4_${sign}`, a.node]);
}
