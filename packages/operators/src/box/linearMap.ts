import type { Domain } from '@corpuscle/core';
import { product } from './matrix.js';

/** Parameters of a linear map, as the difference of its matrix to one: what does not change keeps its bits. */
export const linearMap = {
  dxx: 'real',
  dxy: 'real',
  dxz: 'real',
  dyx: 'real',
  dyy: 'real',
  dyz: 'real',
  dzx: 'real',
  dzy: 'real',
  dzz: 'real',
} as const;

/** The parameters of the map that takes lattice vectors to others, v′ = v · H⁻¹ · H′: H⁻¹ · (H′ − H) is exactly 0 where they stay. */
export function linearMapOf(
  before: Domain,
  { matrix }: Domain,
): Record<keyof typeof linearMap, number> {
  const moved = matrix.map((x, k) => x - before.matrix[k]!);
  const [dxx, dxy, dxz, dyx, dyy, dyz, dzx, dzy, dzz] = product(before.inverse, moved) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { dxx, dxy, dxz, dyx, dyy, dyz, dzx, dzy, dzz };
}
