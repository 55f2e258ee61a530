import type { Domain } from '@corpuscle/core';
import type { Plane } from '@corpuscle/view';
import type { Appearance } from '../session/messages.js';

/** The planes of a slice across x, y or z; its bounds are parts of the length that so many boxes have along that axis. */
export function slicePlanes(
  { matrix, origin }: Domain,
  { axis, from, to }: NonNullable<Appearance['slice']>,
  images: Appearance['images'],
): Plane[] {
  const edges = images.map((boxes, k) => boxes * matrix[3 * k + axis]!);
  const least = origin[axis]! + edges.reduce((sum, edge) => sum + Math.min(0, edge), 0);
  const length = edges.reduce((sum, edge) => sum + Math.abs(edge), 0);
  return [
    ...(from > 0 ? [plane(axis, 1, least + from * length)] : []),
    ...(to < 1 ? [plane(axis, -1, least + to * length)] : []),
  ];
}

function plane(axis: number, sign: 1 | -1, place: number): Plane {
  const normal = [0, 1, 2].map((one) => (one === axis ? sign : 0));
  return { normal: normal as unknown as Plane['normal'], offset: sign * place };
}
