import { philoxWords } from './philoxWords.js';

/**
 * Philox4x32-10 on the host: the same words as `h.random` in functors, for any counter of four words and key of two.
 *
 * @example
 * philox4x32([id, step, stream, 0], [seed, 0]); // what h.random(id, step, stream, seed) gives
 */
export function philox4x32(
  counter: readonly [number, number, number, number],
  key: readonly [number, number],
): readonly [number, number, number, number] {
  const [a, b, c, d] = philoxWords(...counter, ...key, new Uint32Array(4));
  return [a!, b!, c!, d!];
}
