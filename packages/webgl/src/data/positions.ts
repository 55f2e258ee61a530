import type { Grid } from '@corpuscle/core';
import { checkLength } from './parameters.js';

export interface SplitPositions {
  /** Six numbers a particle: x, y, z as multiples of `quantum`, then the rests. */
  readonly positions: Float32Array;
  /** The same for the shifts of the images. */
  readonly shifts: Float32Array;
}

/**
 * Coordinates as sums of two floats. The first is a multiple of a power of two, so large that the difference of any two, and
 * that difference plus a shift, is exact in single precision: separations keep full precision however large the box is.
 */
export function splitPositions(grid: Grid, images: number): SplitPositions {
  const { count, domain } = grid;
  checkLength(6 * count, `positions of ${count} particles`);
  const array = grid.block('position').array as Float64Array;
  const shiftsOf = Array.from({ length: images }, (_, image) => domain.image(image));
  let largest = Number.MIN_VALUE;
  for (const value of shiftsOf.flat()) largest = Math.max(largest, Math.abs(value));
  for (let row = 0; row < count; row++)
    for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(array[4 * row + k]!));
  const quantum = 2 ** (Math.ceil(Math.log2(largest)) + 2 - 24);
  const split = (packed: Float32Array, at: number, values: ArrayLike<number>, from: number) => {
    for (let k = 0; k < 3; k++) {
      const value = values[from + k]!;
      const high = Math.round(value / quantum) * quantum;
      packed[at + k] = high;
      packed[at + k + 3] = value - high;
    }
  };
  const positions = new Float32Array(Math.max(6, 6 * count));
  for (let row = 0; row < count; row++) split(positions, 6 * row, array, 4 * row);
  const shifts = new Float32Array(6 * images);
  shiftsOf.forEach((shift, image) => {
    split(shifts, 6 * image, shift, 0);
  });
  return { positions, shifts };
}
