import type { ReadonlyVector } from './lattice.js';

type Offsets = readonly [number, number, number];

/** Offsets of images by number, as far as they have been asked for; whole shells of the cube. */
const known: Offsets[] = [];
const numbers = new Map<string, number>();
let shells = -1;

/**
 * Whole lattice vectors (ka, kb, kc) of image `index`. Images are numbered shell by shell, so that a number means the same
 * in every box and for every cutoff:
 *
 *   0 … 26    (ka + 1) + 3 (kb + 1) + 9 (kc + 1), each k in −1 … 1; 13 is no shift
 *   27 … 124  the shell where the largest |k| is 2, a fastest;   125 … 342  the shell of 3;   and so on
 */
export function imageOffsets(index: number): Offsets {
  while (known.length <= index) addShell();
  return known[index]!;
}

/** The number of the image with these offsets; the inverse of `imageOffsets`. */
export function imageIndex(ka: number, kb: number, kc: number): number {
  const shell = Math.max(Math.abs(ka), Math.abs(kb), Math.abs(kc));
  while (shells < Math.max(1, shell)) addShell();
  return numbers.get(`${ka} ${kb} ${kc}`)!;
}

/** How many numbers images with offsets of at most `reach` along each axis take. */
export const imageCount = (reach: ReadonlyVector): number => (2 * Math.max(1, ...reach) + 1) ** 3;

function addShell(): void {
  // The first one is the whole cube of −1 … 1.
  const shell = Math.max(1, ++shells);
  shells = shell;
  for (let c = -shell; c <= shell; c++)
    for (let b = -shell; b <= shell; b++)
      for (let a = -shell; a <= shell; a++) {
        const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
        if (largest < shell && shell > 1) continue;
        numbers.set(`${a} ${b} ${c}`, known.length);
        known.push([a, b, c]);
      }
}
