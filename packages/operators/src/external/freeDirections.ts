import type { Domain } from '@corpuscle/core';

/**
 * The part of a vector that is at right angles to all periodic vectors of a box. A constant force has an energy along it alone:
 * around a periodic box it does work.
 */
export function freePart(domain: Domain, vector: readonly number[]): [number, number, number] {
  const result = [...vector] as [number, number, number];
  const basis: number[][] = [];
  for (let k = 0; k < 3; k++) {
    if (!domain.periodic[k]) continue;
    const axis = domain.matrix.slice(3 * k, 3 * k + 3);
    for (const other of basis) subtract(axis, other);
    const length = Math.hypot(...axis);
    const unit = axis.map((x) => x / length);
    basis.push(unit);
    subtract(result, unit);
  }
  return result;
}

/** Takes the part of a vector along a unit vector out of it. */
function subtract(vector: number[], unit: readonly number[]): void {
  const along = vector.reduce((sum, x, k) => sum + x * unit[k]!, 0);
  for (let k = 0; k < 3; k++) vector[k] = vector[k]! - along * unit[k]!;
}
