import type { LaneValue } from '../BodyEnv.js';
import type { Lowering } from '../Lowering.js';
import { f32, f64 } from '../ops.js';

const LARGEST = 16;

/**
 * x to a constant whole power 1 … 16 by repeated squaring, or null for other powers. n − 1 rounded products in a binary scheme
 * are within n/2 ulp of the true power: 0.5 for squares, 1 for cubes, 6 for the twelfth.
 */
export function integerPower(l: Lowering, x: LaneValue, power: number): LaneValue | null {
  if (!Number.isInteger(power) || power < 1 || power > LARGEST) return null;
  const { ops } = l;
  const scalar = ops.real === 'f64' ? f64 : f32;
  const multiply = (a: LaneValue, b: LaneValue): LaneValue =>
    ops.keep(
      a.uniform
        ? ops.uniform('real', scalar.mul(a.node, b.node))
        : ops.varying('real', ops.F.mul(ops.vector(a), ops.vector(b))),
    );
  let square = ops.keep(x);
  let result: LaneValue | null = null;
  for (let rest = power; ; square = multiply(square, square)) {
    if (rest & 1) result = result ? multiply(result, square) : square;
    rest >>= 1;
    if (rest === 0) return result;
  }
}
