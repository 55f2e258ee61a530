import { philoxWords } from '@corpuscle/functor/random';

/**
 * Philox4x32-10: a random number is a pure function of (seed, stream, counter), so every backend, thread count and
 * order of evaluation gives the same numbers (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11).
 *
 *   key     = [ seed low 32 | seed high ]
 *   counter = [ counter low 32 | counter high | stream low 32 | stream high ]
 *
 * Functors draw the same words: `h.random(id, step, stream, seed)` has the counter [id, step, stream, 0].
 */
const TWO_32 = 2 ** 32;

const high = (word: number): number => Math.floor(word / TWO_32) >>> 0;

/** The words that were drawn last. */
const w = new Uint32Array(4);

function draw(seed: number, stream: number, counter: number): void {
  philoxWords(counter >>> 0, high(counter), stream >>> 0, high(stream), seed >>> 0, high(seed), w);
}

/** 53 random bits of two words: k / 2⁵³, k = 0 … 2⁵³−1. */
const unit = (high: number, low: number): number =>
  ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;

/**
 * A uniform number, 0 ≤ u < 1, with 53 random bits.
 * @param seed an integer 0 … 2⁵³−1.
 * @param stream the same; different streams are independent.
 * @param counter the same.
 *
 * @example
 * const u = uniform(87287, randomStream('gaussian_noise'), particleId);
 */
export function uniform(seed: number, stream: number, counter: number): number {
  draw(seed, stream, counter);
  return unit(w[0]!, w[1]!);
}

/**
 * Two independent numbers of the standard normal distribution (Box and Muller 1958); |value| ≤ 8.57.
 * One call of Philox gives both, so draw pairs where many are needed.
 */
export function gaussianPair(
  seed: number,
  stream: number,
  counter: number,
  out: [number, number] = [0, 0],
): [number, number] {
  draw(seed, stream, counter);
  // 1 − u is in (0, 1]: the logarithm is finite.
  const radius = Math.sqrt(-2 * Math.log(1 - unit(w[0]!, w[1]!)));
  const angle = 2 * Math.PI * unit(w[2]!, w[3]!);
  out[0] = radius * Math.cos(angle);
  out[1] = radius * Math.sin(angle);
  return out;
}

/** One number of the standard normal distribution: the first of `gaussianPair`. */
export function gaussian(seed: number, stream: number, counter: number): number {
  return gaussianPair(seed, stream, counter)[0];
}

/** Number of the stream with a name (FNV-1a, 32 bits): operators that draw under their own names never collide. */
export function randomStream(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
