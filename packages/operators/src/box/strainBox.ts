import { Domain } from '@corpuscle/core';
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
