import { CorpuscleError, type Domain } from '@corpuscle/core';

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
  coupling: 'iso' | 'aniso' | 'triclinic',
  known?: readonly number[],
): { readonly frame: BoxFrame; readonly lean: number } {
  const m = domain.matrix;
  const isStandard = m[1] === 0 && m[2] === 0 && m[5] === 0;
  if (!domain.periodic.every(Boolean))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'a barostat needs a box that is periodic along all three vectors: change pbc, or leave the barostat out',
    );
  if (coupling === 'aniso' && !domain.isOrthorhombic)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'coupling: aniso needs a box along x, y and z: use coupling: triclinic, or iso',
    );
  if (coupling === 'triclinic' && !isStandard)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'coupling: triclinic needs a along x and b in the xy plane: turn the box, or use coupling: iso',
    );
  const fixed = known ?? (isStandard ? centerOf(domain) : domain.toCartesian(0.5, 0.5, 0.5));
  const toOrigin = domain.origin.map((x, k) => x - fixed[k]!);
  return { frame: { fixed, toOrigin }, lean: isStandard ? m[7]! / m[8]! : 0 };
}

const centerOf = ({ matrix, origin }: Domain): number[] =>
  origin.map((x, k) => x + matrix[4 * k]! / 2);
