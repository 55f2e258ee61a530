import { CorpuscleError, Domain } from '@corpuscle/core';
import { isStandard } from './coupling.js';
import { product } from './matrix.js';

/** Strains of a box along Cartesian axes; shears lean y over x, z over x and z over y. */
export interface Strain {
  readonly xx: number;
  readonly yy: number;
  readonly zz: number;
  readonly xy: number;
  readonly xz: number;
  readonly yz: number;
}

/** Names of the components. */
export const components = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'] as const;
/** A strain that changes nothing. */
export const noStrain: Strain = { xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0 };

/**
 * A box with every lattice vector v replaced by F v:
 *
 *       ⎡ 1 + xx    xy      xz   ⎤
 *   F = ⎢   0     1 + yy    yz   ⎥      L_x = (1 + xx) L_x0,   tilt xy = (1 + xx) xy0 + xy · L_y0
 *       ⎣   0       0     1 + zz ⎦
 *
 * Lengths change about the center of the box, shears about its origin, as in LAMMPS.
 */
export function strainBox(domain: Domain, { xx, yy, zz, xy, xz, yz }: Strain): Domain {
  const { matrix, origin, periodic } = domain;
  // Lattice vectors are rows, so that F stands transposed on the right.
  const map = [1 + xx, 0, 0, xy, 1 + yy, 0, xz, yz, 1 + zz];
  const center = domain.toCartesian(0.5, 0.5, 0.5);
  const stretch = [xx, yy, zz];
  const moved = origin.map((x, k) => x + stretch[k]! * (x - center[k]!));
  return Domain.triclinic(product(matrix, map), {
    origin: moved as [number, number, number],
    periodic,
  });
}

/** The box of which a strain makes the given one, by `strainBox`; or by `leanBox`, where tilts stay. */
export function unstrainedBox(
  { matrix, origin, periodic }: Domain,
  { xx, yy, zz, xy, xz, yz }: Strain,
  tilts: 'follow' | 'stay',
): Domain {
  const growth = [xx, yy, zz];
  const lengths = growth.map((grown, k) => matrix[4 * k]! / (1 + grown));
  const map = [1 + xx, 0, 0, xy, 1 + yy, 0, xz, yz, 1 + zz];
  const leaning = [0, 0, 0, lengths[1]! * xy, 0, 0, lengths[2]! * xz, lengths[2]! * yz, 0];
  const first =
    tilts === 'stay'
      ? matrix.map((x, k) => (k % 4 === 0 ? lengths[k / 4]! : x - leaning[k]!))
      : product(matrix, Domain.triclinic(map).inverse);
  const widths =
    tilts === 'stay' ? lengths : [0, 1, 2].map((k) => first[k]! + first[3 + k]! + first[6 + k]!);
  const moved = origin.map((x, k) => x + (growth[k]! * widths[k]!) / 2);
  return Domain.triclinic(first, { origin: moved as [number, number, number], periodic });
}

/** The lengths of a box along x, y and z, as a matrix. */
export const lengthsOf = (matrix: readonly number[]): number[] =>
  matrix.map((x, k) => (k % 4 === 0 ? x : 0));

/**
 * A box whose lengths and tilts change each for itself, as `fix deform` of LAMMPS has it: a length takes no tilt along.
 *
 *   L_x = (1 + xx) L_x0,   tilt xy = xy0 + xy · L_y0,   xz = xz0 + xz · L_z0,   yz = yz0 + yz · L_z0
 *
 * @throws CorpuscleError INVALID_VALUE where a does not lie along x, or b not in the xy plane
 */
export function leanBox(domain: Domain, { xx, yy, zz, xy, xz, yz }: Strain): Domain {
  if (!isStandard(domain))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'tilts: stay needs a along x and b in the xy plane: turn the box, or leave tilts out',
    );
  const { matrix, origin, periodic } = domain;
  const grown = product(lengthsOf(matrix), [xx, 0, 0, xy, yy, 0, xz, yz, zz]);
  const moved = origin.map((x, k) => x - grown[4 * k]! / 2);
  return Domain.triclinic(
    matrix.map((x, k) => x + grown[k]!),
    { origin: moved as [number, number, number], periodic },
  );
}
