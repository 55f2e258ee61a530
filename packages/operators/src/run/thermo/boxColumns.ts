import type { Domain } from '@corpuscle/core';

/** Columns of the box, with `box: true`. */
export const boxColumns = ['volume', 'density', 'lx', 'ly', 'lz', 'xy', 'xz', 'yz'] as const;

/**
 * The box of a row in the order of `boxColumns`: volume, particles per volume, and lengths and tilts of the box turned so that a
 * lies along x and b in the xy plane.
 */
export function boxNumbers({ matrix, volume }: Domain, count: number): number[] {
  const [a, b, c] = [matrix.slice(0, 3), matrix.slice(3, 6), matrix.slice(6)];
  const lx = Math.hypot(...a);
  const along = a.map((x) => x / lx);
  const xy = dot(b, along);
  const across = b.map((x, k) => x - xy * along[k]!);
  const ly = Math.hypot(...across);
  const [xz, yz] = [dot(c, along), dot(c, across) / ly];
  return [volume, count / volume, lx, ly, volume / (lx * ly), xy, xz, yz];
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
