import { definePairPotential } from '../pair/definePairPotential.js';

/** The bare interaction of charges, as LAMMPS's `pair_style coul/cut`. */
export const coulombCut = definePairPotential({
  name: 'coulomb_cut',
  doc: 'Adds Coulomb forces between the charges of particles, u(r) = q q′/(4 pi epsilon0 dielectric r), cut off at rcut.',
  coefficients: {},
  charges: true,
  energy: (r) => 1 / r,
  force: (r) => 1 / (r * r),
});
