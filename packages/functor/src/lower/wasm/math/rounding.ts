import { f32x4, f64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import type { VectorMath } from './VectorMath.js';

/** Math.round: halves go up, −0.5…−0 gives −0. Exact. */
export const round: VectorMath = (m, x) => {
  const { F } = m.ops;
  const down = m.builder.keep(F.floor(x as WasmNode), 'v128');
  const half = F.ge(F.sub(x as WasmNode, down), F.const(0.5));
  const up = F.add(down, v128.and(half, F.const(1)));
  return v128.or(up, v128.and(x as WasmNode, F.const(-0)));
};

/** Math.sign: ±1, or the argument itself where it is ±0 or NaN. Exact. */
export const sign: VectorMath = (m, x) => {
  const { F } = m.ops;
  const one = v128.or(v128.and(x as WasmNode, F.const(-0)), F.const(1));
  const signed = v128.or(F.lt(x as WasmNode, F.const(0)), F.gt(x as WasmNode, F.const(0)));
  return v128.bitselect(one, x as WasmNode, signed);
};

/** Math.fround on f64 lanes. Exact. */
export const fround: VectorMath = (_, x) =>
  f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(x as WasmNode));

const constantOf = (node: WasmNode, real: 'f64' | 'f32'): number | null => {
  if (node[0] !== 'v128.const') return null;
  const view = new DataView((node[1] as Uint8Array).slice().buffer);
  return real === 'f64' ? view.getFloat64(0, true) : view.getFloat32(0, true);
};

/**
 * Math.min and Math.max, exact with NaN and −0. The exact instructions are several machine instructions each; with a constant on one
 * side the one-instruction forms `pmin(x, c) = c < x ? c : x` and `pmax(x, c) = x < c ? c : x` do as well: they keep a NaN in x,
 * and only max(x, +0) must mend max(−0, +0) by adding +0.
 */
const minMax =
  (name: 'min' | 'max'): VectorMath =>
  (m, a, b) => {
    const { F, real } = m.ops;
    const [ca, cb] = [constantOf(a as WasmNode, real), constantOf(b as WasmNode, real)];
    const [x, c, known] = cb !== null ? [a, b, cb] : [b, a, ca];
    if (known === null || Number.isNaN(known)) return F[name](a as WasmNode, b as WasmNode);
    if (name === 'min') {
      // min(+0, −0) is −0, which pmin would miss.
      return Object.is(known, -0)
        ? F.min(x as WasmNode, c as WasmNode)
        : F.pmin(x as WasmNode, c as WasmNode);
    }
    const larger = F.pmax(x as WasmNode, c as WasmNode);
    return Object.is(known, 0) ? F.add(larger, F.const(0)) : larger;
  };

export const min = minMax('min');
export const max = minMax('max');
