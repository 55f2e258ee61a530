import type { NearestImages } from '@corpuscle/core';
import type { KernelParams } from '../device/GpuKernel.js';
import type { Turns } from './packParticles.js';

/** Largest square of a cutoff, which a float can hold. */
const ENDLESS = 3e38;

/**
 * Uniform members about boxes and cutoffs. `near2` is what a distance in coordinates of 32 bits must be below where that of
 * 64 bits may be in reach, and `doubtful2` is below `inner2` by as much.
 */
export function reachValues(
  { vectors }: Turns,
  { inner2 }: NearestImages,
  rcut: number,
): KernelParams {
  const values: Record<string, number | readonly number[]> = {};
  let error = 0;
  for (let k = 0; k < 3; k++) {
    const row = [...vectors.slice(3 * k, 3 * k + 3).map((x) => x / 2 ** 32), 0];
    values[`e${k}`] = row;
    values[`e${k}Low`] = row.map((x) => x - Math.fround(x));
    error += Math.hypot(...row);
  }
  values.rcut2 = Math.min(rcut * rcut, ENDLESS);
  // The box may be four times as long by its strain.
  values.near2 = Math.min((rcut * (1 + 1e-5) + 16 * error) ** 2, ENDLESS);
  values.inner2 = inner2;
  values.doubtful2 = Math.max(0, Math.sqrt(inner2) * (1 - 1e-5) - 16 * error) ** 2;
  return values;
}
