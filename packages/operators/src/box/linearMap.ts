import type { Matrix } from './matrix.js';

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

/** The parameters of a map v′ = v · M. */
export function linearMapOf(matrix: Matrix): Record<keyof typeof linearMap, number> {
  const [dxx, dxy, dxz, dyx, dyy, dyz, dzx, dzy, dzz] = matrix.map((x, k) =>
    k % 4 === 0 ? x - 1 : x,
  ) as [number, number, number, number, number, number, number, number, number];
  return { dxx, dxy, dxz, dyx, dyy, dyz, dzx, dzy, dzz };
}
