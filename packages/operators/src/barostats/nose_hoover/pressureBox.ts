import type { Domain } from '@corpuscle/core';
import { type BarostatCoupling, checkCoupling, isStandard } from '../../box/coupling.js';

/** Where the box of a barostat is while its lengths have not grown. */
export type BoxFrame = {
  /** The point that lengths change about: the center of the box without its tilts, as LAMMPS has it. */
  readonly fixed: readonly number[];
  /** From there to the origin. */
  readonly toOrigin: readonly number[];
};

/**
 * The frame of a box, and how far c leans over b, in heights of the box.
 *
 * @param known the point that stays, if it is known.
 * @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for.
 */
export function boxFrame(
  domain: Domain,
  coupling: BarostatCoupling,
  known?: readonly number[],
): { readonly frame: BoxFrame; readonly lean: number } {
  checkCoupling(domain, coupling, 'a barostat');
  const m = domain.matrix;
  const hasTilts = isStandard(domain);
  const fixed = known ?? (hasTilts ? centerOf(domain) : domain.toCartesian(0.5, 0.5, 0.5));
  const toOrigin = domain.origin.map((x, k) => x - fixed[k]!);
  return { frame: { fixed, toOrigin }, lean: hasTilts ? m[7]! / m[8]! : 0 };
}

const centerOf = ({ matrix, origin }: Domain): number[] =>
  origin.map((x, k) => x + matrix[4 * k]! / 2);
