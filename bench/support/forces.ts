import type { Grid } from '@corpuscle/core';

/** Components of all forces, in the order of ids. */
export function forcesById(grid: Grid): Float64Array[] {
  const rows = grid.rowsById();
  return ['fx', 'fy', 'fz'].map((name) => {
    const values = grid.values(name);
    return Float64Array.from(rows, (row) => values[row]!);
  });
}

/** Differences of forces: relative rms, and the largest over the largest component. */
export function forceDifference(
  ours: readonly Float64Array[],
  exact: readonly Float64Array[],
): { rms: number; most: number } {
  let [squares, size, worst, largest] = [0, 0, 0, 0];
  exact.forEach((component, k) => {
    component.forEach((f, row) => {
      const off = Math.abs(f - ours[k]![row]!);
      squares += off * off;
      size += f * f;
      // Not Math.max, which a comparison would let pass over NaN.
      if (!(off <= worst)) worst = off;
      largest = Math.max(largest, Math.abs(f));
    });
  });
  return { rms: Math.sqrt(squares / size), most: worst / largest };
}
