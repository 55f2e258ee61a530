import type { Grid } from '@corpuscle/core';

/** Particles whose neighbors are looked for, and distances that are computed at most. */
const SAMPLES = 48;
const MOST = 2e7;

/**
 * A radius with which neighbors nearly touch: about half the median distance to the nearest, whatever fills the box.
 * Positions are those that the host has.
 * @example
 * view.look = { radius: usualRadius(grid) };
 */
export function usualRadius(grid: Grid): number {
  const rows = grid.block('position').array as Float64Array;
  const { count } = grid;
  const samples = Math.max(1, Math.min(SAMPLES, Math.floor(MOST / count)));
  const every = Math.max(1, Math.floor(count / samples));
  const distances: number[] = [];
  for (let i = 0; i < count; i += every) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < count; j++) {
      const x = rows[4 * j]! - rows[4 * i]!;
      const y = rows[4 * j + 1]! - rows[4 * i + 1]!;
      const z = rows[4 * j + 2]! - rows[4 * i + 2]!;
      const r2 = x * x + y * y + z * z;
      if (r2 > 0 && r2 < nearest) nearest = r2;
    }
    if (nearest < Number.POSITIVE_INFINITY) distances.push(Math.sqrt(nearest));
  }
  distances.sort((a, b) => a - b);
  return 0.54 * (distances[Math.floor(distances.length / 2)] ?? 1);
}
