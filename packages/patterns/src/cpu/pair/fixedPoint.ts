/**
 * Positions for kernels of singles: 32-bit whole numbers of `modulus / 2³²`, wrapping around at the modulus. The modulus
 * is four times the list radius or a little more, so the wrapped difference of two listed particles is the true one,
 * rounded to 10⁻⁹ of the radius, however large the box is and wherever in it they are.
 *
 *   row {x y z w}    w = 0; rows that pad lists: w = PADDING_W, which puts them out of reach
 */
export function fixedPointUnit(radius: number): number {
  return 2 ** (Math.ceil(Math.log2(4 * radius)) - 32);
}

/** The difference to a particle's 0 is 2³¹ − 1, as a single a number far above every rcut². */
export const PADDING_W = -(2 ** 31 - 1);

/** A length as a wrapped whole number of units. */
export function toFixedPoint(length: number, unit: number): number {
  return Math.round((length / unit) % 2 ** 32) | 0;
}
