import type { LaneValue } from '../BodyEnv.js';
import type { Lowering } from '../Lowering.js';
import { f32, f64 } from '../ops.js';

const LARGEST = 16;

/**
 * x to a constant whole power −16 … −1 or 1 … 16 by repeated squaring, or null for other powers. n − 1 rounded products in a
 * binary scheme are within n/2 ulp of the true power (0.5 for squares, 1 for cubes, 6 for the twelfth), reciprocals within
 * one more; where xⁿ overflows or is subnormal its reciprocal is 0 or inexact.
 */
export function integerPower(l: Lowering, x: LaneValue, power: number): LaneValue | null {
  const n = Math.abs(power);
  if (!Number.isInteger(power) || n < 1 || n > LARGEST) return null;
  const { ops } = l;
  const scalar = ops.real === 'f64' ? f64 : f32;
  const combine = (name: 'mul' | 'div', a: LaneValue, b: LaneValue): LaneValue =>
    ops.keep(
      a.uniform && b.uniform
        ? ops.uniform('real', scalar[name](a.node, b.node))
        : ops.varying('real', ops.F[name](ops.vector(a), ops.vector(b))),
    );
  let square = ops.keep(x);
  let result: LaneValue | null = null;
  for (let rest = n; rest > 0; rest >>= 1) {
    if (rest & 1) result = result ? combine('mul', result, square) : square;
    if (rest > 1) square = combine('mul', square, square);
  }
  return power < 0 && result
    ? combine('div', ops.uniform('real', scalar.const(1)), result)
    : result;
}
