import type { Domain } from '@corpuscle/core';
import { product } from './matrix.js';
import { nine, valuesOf } from './presentBox.js';

/** Parameters of a linear map, as the difference of its matrix to one: what does not change keeps its bits. */
export const linearMap = nine('d');

/** The parameters of the map that takes lattice vectors to others, v′ = v · H⁻¹ · H′: H⁻¹ · (H′ − H) is exactly 0 where they stay. */
export function linearMapOf(before: Domain, { matrix }: Domain) {
  const moved = matrix.map((x, k) => x - before.matrix[k]!);
  return valuesOf('d', product(before.inverse, moved));
}
