import { singleLiteral } from '../singleLiteral.js';

/** Below this floats lose digits or are flushed to zero by a GPU. */
const LEAST = 2 ** -126;

/**
 * A double as the sum of two floats, the nearest float and what is left: 48 bits of its 53. Beyond the range of floats the
 * high part is infinite and the low one zero; a low part below 2^-126 is left out.
 *
 * @example splitDouble(0.1) → [0.10000000149011612, -1.4901161138336505e-9]
 */
export function splitDouble(value: number): [high: number, low: number] {
  const high = Math.fround(value);
  if (!Number.isFinite(high)) return [high, 0];
  const low = Math.fround(value - high);
  return [high, Math.abs(low) < LEAST ? 0 : low];
}

/** The double that two floats stand for; what overflowed may have anything in its low part. */
export const joinDouble = (high: number, low: number): number =>
  Number.isFinite(high) && Number.isFinite(low) ? high + low : high;

/** A finite number as a WGSL expression of type vec2f. */
export function doubleLiteral(value: number): string {
  const [high, low] = splitDouble(value);
  return `vec2f(${singleLiteral(high)}, ${singleLiteral(low)})`;
}
