import { i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import {
  coldLanes,
  constant,
  inDouble,
  kept,
  type MathContext,
  type VectorMath,
} from './VectorMath.js';

/**
 * JavaScript's a % b, exact, with the sign of a. With q = trunc(|a| / |b|), which may be one too large, |a| − q·|b| is exact when the
 * product is kept as a sum of two (Dekker); larger quotients than 2⁵¹ (f32: 2²⁸), infinities, NaN and zero divisors are
 * handed to the scalar operator.
 */
export const remainder: VectorMath = (m, a, b) => {
  const [x, y] = [a as WasmNode, b as WasmNode];
  const { F, real } = m.ops;
  const sign = constant(m, -0);
  const top = kept(m, v128.andnot(x, sign));
  const bottom = kept(m, v128.andnot(y, sign));
  if (real === 'f64') {
    const q = kept(m, F.trunc(F.div(top, bottom)));
    const rest = mend(m, kept(m, subtractProduct(m, top, q, bottom)), bottom);
    const ordinary = v128.and(
      F.ge(bottom, constant(m, 2 ** -960)),
      F.le(bottom, constant(m, 2 ** 960)),
    );
    const good = v128.and(F.le(q, constant(m, 2 ** 51)), ordinary);
    return coldLanes(m, 'remainder', [x, y], good, v128.or(rest, v128.and(x, sign)));
  }
  const value = inDouble(m, [top, bottom], (wide, u, v) => {
    const { F: D } = wide.ops;
    const q = D.trunc(D.div(u as WasmNode, v as WasmNode));
    return mend(wide, kept(wide, D.sub(u as WasmNode, D.mul(q, v as WasmNode))), v as WasmNode);
  });
  const good = v128.and(
    F.le(F.div(top, bottom), constant(m, 2 ** 28)),
    F.lt(bottom, constant(m, Number.POSITIVE_INFINITY)),
  );
  return coldLanes(m, 'remainder', [x, y], good, v128.or(value, v128.and(x, sign)));
};

/** A remainder that is negative because the quotient was one too large. */
const mend = (m: MathContext, rest: WasmNode, divisor: WasmNode): WasmNode => {
  const { F } = m.ops;
  return F.add(rest, v128.and(F.lt(rest, constant(m, 0)), divisor));
};

/** a − q·b without rounding, for whole q ≤ 2⁵¹. */
function subtractProduct(m: MathContext, a: WasmNode, q: WasmNode, b: WasmNode): WasmNode {
  const { F } = m.ops;
  const cut = (v: WasmNode) => kept(m, v128.and(v, i64x2.const(-(1n << 27n))));
  const product = kept(m, F.mul(q, b));
  const [qHigh, bHigh] = [cut(q), cut(b)];
  const [qLow, bLow] = [kept(m, F.sub(q, qHigh)), kept(m, F.sub(b, bHigh))];
  const high = F.add(F.sub(F.mul(qHigh, bHigh), product), F.mul(qHigh, bLow));
  const error = F.add(F.add(high, F.mul(qLow, bHigh)), F.mul(qLow, bLow));
  return F.sub(F.sub(a, product), error);
}
