import type { Draw, Library } from './Library.js';

/** As `Draw`, with the library that it calls. */
type LibraryDraw = (...given: [...Parameters<Draw>, h: Library]) => ReturnType<Draw>;

/**
 * Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11): four words for a counter of four
 * words and a key of two.
 */
export function philox(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  h: Pick<Library, 'mulHigh'>,
): readonly [number, number, number, number] {
  for (let round = 0; round < 10; round++) {
    const first = (h.mulHigh(0xcd9e8d57, c2) ^ c1 ^ k0) >>> 0;
    const third = (h.mulHigh(0xd2511f53, c0) ^ c3 ^ k1) >>> 0;
    c1 = Math.imul(0xcd9e8d57, c2) >>> 0;
    c3 = Math.imul(0xd2511f53, c0) >>> 0;
    c0 = first;
    c2 = third;
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** Four words of 32 random bits. */
export const random: LibraryDraw = (id, step, stream, seed, seedHigh, draw, h) => {
  const [a, b, c, d] = h.philox(id, step, stream, draw, seed, seedHigh);
  return [a, b, c, d];
};

/**
 * Four uniform numbers, 0 < u < 1: (word + 1/2) / 2³². Single precision rounds to 24 bits, and may not round up to 1: nothing
 * exceeds 1 − 2⁻²⁴, in any precision.
 */
export const uniform: LibraryDraw = (id, step, stream, seed, seedHigh, draw, h) => {
  const [a, b, c, d] = h.random(id, step, stream, seed, seedHigh, draw);
  return [
    Math.min((h.real(a) + 0.5) * 2.3283064365386963e-10, 0.9999999403953552),
    Math.min((h.real(b) + 0.5) * 2.3283064365386963e-10, 0.9999999403953552),
    Math.min((h.real(c) + 0.5) * 2.3283064365386963e-10, 0.9999999403953552),
    Math.min((h.real(d) + 0.5) * 2.3283064365386963e-10, 0.9999999403953552),
  ];
};

/** Four numbers of the standard normal distribution, from two pairs (Box and Muller 1958); |value| < 6.8. */
export const normal: LibraryDraw = (id, step, stream, seed, seedHigh, draw, h) => {
  const [a, b, c, d] = h.uniform(id, step, stream, seed, seedHigh, draw);
  const first = Math.sqrt(-2 * Math.log(a));
  const second = Math.sqrt(-2 * Math.log(c));
  const angle = 6.283185307179586 * b;
  const other = 6.283185307179586 * d;
  return [
    first * Math.cos(angle),
    first * Math.sin(angle),
    second * Math.cos(other),
    second * Math.sin(other),
  ];
};
