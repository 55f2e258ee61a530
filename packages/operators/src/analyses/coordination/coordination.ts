import type { Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { CoordinationNumber, type CoordinationOptions } from './CoordinationNumber.js';
import type { PathChoice } from './choosePath.js';

/** A coordination number and its derivatives; particles in the order of their ids. */
export interface CoordinationResult extends PathChoice {
  readonly value: number;
  /** dS/dr: x0 y0 z0 x1 … */
  readonly derivatives: Float64Array;
  /** −Σ (s′/r) d_a d_b over pairs, by rows: minus the strain derivative. */
  readonly boxDerivatives: readonly (readonly number[])[];
  /** The sum over the pairs that a particle takes part in. */
  readonly perParticle: Float64Array;
}

/**
 * Evaluates a coordination number once. For many frames keep a `CoordinationNumber`.
 *
 * @throws CorpuscleError INVALID_VALUE, MISSING_VALUE, UNKNOWN_TYPE
 * @example
 * const { value, derivatives } = await coordination(grid, ctx, {
 *   groupA: 'all',
 *   switch: { type: 'rational', r0: 0.3 },
 *   keywordForm: true,
 * });
 */
export async function coordination(
  grid: Grid,
  ctx: ExecutionContext,
  options: CoordinationOptions,
): Promise<CoordinationResult> {
  const variable = new CoordinationNumber(ctx, options);
  try {
    const { value, box, path, reason } = await variable.evaluate(grid);
    return {
      value,
      boxDerivatives: boxMatrix(box),
      path,
      reason,
      ...(await coordinationById(grid, ctx)),
    };
  } finally {
    variable.close();
  }
}

/** What the last evaluation left in a grid, in the order of ids. */
export async function coordinationById(
  grid: Grid,
  ctx: ExecutionContext,
): Promise<Pick<CoordinationResult, 'derivatives' | 'perParticle'>> {
  await newestOnHost(grid, ctx, ['cn', 'id']);
  const shares = grid.block('coordination').array;
  const derivatives = new Float64Array(3 * grid.count);
  const perParticle = new Float64Array(grid.count);
  grid.rowsById().forEach((row, k) => {
    for (let axis = 0; axis < 3; axis++) derivatives[3 * k + axis] = Number(shares[4 * row + axis]);
    perParticle[k] = Number(shares[4 * row + 3]);
  });
  return { derivatives, perParticle };
}

/** xx yy zz xy xz yz as a matrix by rows. */
export function boxMatrix([xx, yy, zz, xy, xz, yz]: readonly number[]): number[][] {
  return [
    [xx!, xy!, xz!],
    [xy!, yy!, yz!],
    [xz!, yz!, zz!],
  ];
}
