/** Two bonded particles by their ids, and the kind of their bond, from 0. */
export interface Bond {
  readonly ids: readonly [number, number];
  readonly kind?: number;
}

/**
 * What pair potentials count between particles one, two and three bonds apart: 0 nothing, 1 in full. As LAMMPS's
 * `special_bonds` and most force fields have it, one bond apart counts nothing and the others in full by default.
 */
export type BondedScaling = readonly [number, number, number];

export const defaultScaling: BondedScaling = [0, 1, 1];
