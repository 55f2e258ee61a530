import type { Grid } from '@corpuscle/core';
import { createGrid, type ParticleFrame } from '@corpuscle/operators';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';

/** A grid of a frame's particles, mass 1 for every type. */
export function gridOf(frame: ParticleFrame, ctx: ExecutionContext): Grid {
  const types = frame.species.map((name) => ({ name, mass: 1 }));
  return createGrid(frame, types, ctx.heap);
}

/** A vector field sorted by id: x0 y0 z0 x1 … */
export async function vectorsById(
  grid: Grid,
  ctx: ExecutionContext,
  block: 'position' | 'velocity' | 'force',
): Promise<Float64Array> {
  await newestOnHost(grid, ctx);
  const { array } = grid.block(block);
  const out = new Float64Array(3 * grid.count);
  grid.rowsById().forEach((row, k) => {
    for (let axis = 0; axis < 3; axis++) out[3 * k + axis] = Number(array[4 * row + axis]);
  });
  return out;
}

/** Largest absolute difference between two arrays. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = Math.abs(a[k]! - b[k]!);
    if (!(difference <= largest)) largest = difference; // NaN wins
  }
  return largest;
}

export function largest(a: ArrayLike<number>): number {
  return largestDifference(a, new Float64Array(a.length));
}

/** Root of Σ (a − b)² / Σ b². */
export function relativeRms(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  let norm = 0;
  for (let k = 0; k < a.length; k++) {
    difference += (a[k]! - b[k]!) ** 2;
    norm += b[k]! ** 2;
  }
  return Math.sqrt(difference / norm);
}
