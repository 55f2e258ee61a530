import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/**
 * Charges in a dielectric that begins at the cutoff (Barker and Watts, Mol. Phys. 26, 789, 1973): energies end at 0, and forces
 * too in a conductor.
 */
export const reactionField = definePairPotential({
  name: 'reaction_field',
  doc: 'Adds Coulomb forces with a reaction field, u(r) = q q′ (1/r + k r^2 − 1/rcut − k rcut^2)/(4 pi epsilon0 dielectric), k = (e − 1)/((2e + 1) rcut^3), e = epsilon_rf/dielectric.',
  coefficients: {
    epsilon_rf: {
      dimension: dimensions.none,
      min: 0,
      doc: 'relative permittivity beyond rcut in units of dielectric; 0: a conductor',
    },
  },
  charges: true,
  shift: 'energy',
  numbers: ({ epsilon_rf: e, rcut }) => [(e === 0 ? 0.5 : (e - 1) / (2 * e + 1)) / rcut ** 3],
  energy: (r, k) => 1 / r + k * r * r,
  force: (r, k) => 1 / (r * r) - 2 * k * r,
});
