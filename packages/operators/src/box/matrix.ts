/** A 3×3 matrix, nine numbers by rows. Lattice vectors are rows: r = s · H. */
export type Matrix = readonly number[];

/** The product A · B. */
export function product(a: Matrix, b: Matrix): number[] {
  const out = new Array<number>(9).fill(0);
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < 3; k++) out[3 * r + c]! += a[3 * r + k]! * b[3 * k + c]!;
  return out;
}

/** The row v · A. */
export const rowTimes = (v: readonly number[], a: Matrix): [number, number, number] => [
  v[0]! * a[0]! + v[1]! * a[3]! + v[2]! * a[6]!,
  v[0]! * a[1]! + v[1]! * a[4]! + v[2]! * a[7]!,
  v[0]! * a[2]! + v[1]! * a[5]! + v[2]! * a[8]!,
];

export const transpose = (a: Matrix): number[] => [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => a[k]!);
