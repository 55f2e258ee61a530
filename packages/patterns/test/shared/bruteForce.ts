import type { Grid } from '@corpuscle/core';

export interface Pair {
  readonly i: number;
  readonly j: number;
  readonly image: number;
  /** r_i + shift(image) − r_j. */
  readonly d: readonly [number, number, number];
  readonly r2: number;
}

/**
 * The oracle: every pair within a cutoff, by testing all particles against all others in all images −1 … +1.
 * Full: both (i, j, image) and (j, i, −image). Rows are those of the grid as it is.
 */
export function bruteForcePairs(grid: Grid, rcut: number): Pair[] {
  const { domain, count } = grid;
  const p = grid.block('position').array as Float64Array;
  const pairs: Pair[] = [];
  const [lowest, highest] = reach(p, count, rcut);
  for (let image = 0; image < 27; image++) {
    const k = [(image % 3) - 1, (Math.floor(image / 3) % 3) - 1, Math.floor(image / 9) - 1];
    if (k.some((value, axis) => value !== 0 && !domain.periodic[axis])) continue;
    const shift = domain.image(image);
    for (let i = 0; i < count; i++) {
      const x = p[4 * i]! + shift[0];
      const y = p[4 * i + 1]! + shift[1];
      const z = p[4 * i + 2]! + shift[2];
      if ([x, y, z].some((r, axis) => r < lowest[axis]! || r > highest[axis]!)) continue;
      for (let j = 0; j < count; j++) {
        if (i === j && image === 13) continue;
        const dx = x - p[4 * j]!;
        const dy = y - p[4 * j + 1]!;
        const dz = z - p[4 * j + 2]!;
        const r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < rcut * rcut) pairs.push({ i, j, image, d: [dx, dy, dz], r2 });
      }
    }
  }
  return pairs;
}

/** Bounds beyond which nothing is within the cutoff of any particle. */
function reach(p: Float64Array, count: number, rcut: number): [number[], number[]] {
  const lowest = [Infinity, Infinity, Infinity];
  const highest = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 4 * count; k++) {
    if (k % 4 === 3) continue;
    lowest[k % 4] = Math.min(lowest[k % 4]!, p[k]!);
    highest[k % 4] = Math.max(highest[k % 4]!, p[k]!);
  }
  const far = 1.001 * rcut; // roundings decide nothing
  return [lowest.map((r) => r - far), highest.map((r) => r + far)];
}

/** Sorted names of pairs, to compare sets and to see duplicates. */
export function pairNames(
  pairs: Iterable<{ readonly i: number; readonly j: number; readonly image: number }>,
): string[] {
  return Array.from(pairs, ({ i, j, image }) => `${i} ${j} ${image}`).sort();
}
