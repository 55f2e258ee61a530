import { v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { coldLanes, constant, kept, type VectorMath } from './VectorMath.js';

/**
 * Math.hypot of any number of arguments: √(Σ x²), at most 1.5 ulp off for two or three of them. Where squares would overflow or
 * underflow, or something is infinite or NaN, lanes call Math.hypot.
 */
export const hypot: VectorMath = (m, ...args) => {
  const { F, real } = m.ops;
  const magnitudes = args.map((x) => kept(m, F.abs(x)));
  const [first, ...rest] = magnitudes as [WasmNode, ...WasmNode[]];
  if (rest.length === 0) return first;
  const largest = kept(
    m,
    rest.reduce((most, x) => F.max(most, x), first),
  );
  const sum = magnitudes.map((x) => F.mul(x, x)).reduce((total, square) => F.add(total, square));
  const [low, high] = real === 'f64' ? [1e-140, 1e150] : [1e-15, 1e18];
  const moderate = v128.and(F.ge(largest, constant(m, low)), F.le(largest, constant(m, high)));
  const good = v128.or(moderate, F.eq(largest, constant(m, 0)));
  return coldLanes(m, 'hypot', args, good, F.sqrt(sum));
};
