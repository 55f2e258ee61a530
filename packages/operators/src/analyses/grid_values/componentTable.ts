import type { Projection } from '../grid_projection/projectParticles.js';
import type { Components, VoxelGrid } from './labelComponents.js';

/** What is known of a component. */
export interface ComponentRow {
  readonly label: number;
  readonly voxels: number;
  readonly volume: number;
  /** Mean of the values of its voxels. */
  readonly mean: number;
  /** Center of its voxels; along periodic axes that of angles (Bai and Breen 2008), inside the box. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Counts, volumes, means and centers of components, in the order of labels. */
export function componentTable(
  { origin, spacing }: Pick<Projection, 'origin' | 'spacing'>,
  { dims, periodic }: VoxelGrid,
  { labels, count }: Components,
  values: ArrayLike<number>,
): ComponentRow[] {
  // voxels, Σ value; for each axis Σ place or Σ cos and Σ sin
  const sums = Array.from({ length: count }, () => new Float64Array(8));
  for (let k = 0; k < labels.length; k++) {
    const sum = sums[labels[k]! - 1];
    if (!sum) continue;
    sum[0]!++;
    sum[1]! += values[k]!;
    const place = [
      k % dims[0],
      Math.floor(k / dims[0]) % dims[1],
      Math.floor(k / dims[0] / dims[1]),
    ];
    place.forEach((at, axis) => {
      const s = (at + 0.5) / dims[axis]!;
      sum[2 + 2 * axis]! += periodic[axis] ? Math.cos(2 * Math.PI * s) : s;
      sum[3 + 2 * axis]! += periodic[axis] ? Math.sin(2 * Math.PI * s) : 0;
    });
  }
  const volume = spacing[0] * spacing[1] * spacing[2];
  return sums.map((sum, k) => {
    const voxels = sum[0]!;
    const [x, y, z] = [0, 1, 2].map((axis) => {
      const [c, s] = [sum[2 + 2 * axis]!, sum[3 + 2 * axis]!];
      const turn = Math.atan2(s, c) / (2 * Math.PI);
      const at = periodic[axis] ? turn - Math.floor(turn) : c / voxels;
      return origin[axis]! + at * dims[axis]! * spacing[axis]!;
    }) as [number, number, number];
    return { label: k + 1, voxels, volume: voxels * volume, mean: sum[1]! / voxels, x, y, z };
  });
}
