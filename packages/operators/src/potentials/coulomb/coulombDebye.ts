import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Charges screened by an electrolyte (Debye and Hückel), as LAMMPS's `pair_style coul/debye`. */
export const coulombDebye = definePairPotential({
  name: 'coulomb_debye',
  doc: 'Adds screened Coulomb forces, u(r) = q q′ exp(−kappa r)/(4 pi epsilon0 dielectric r), cut off at rcut.',
  coefficients: {
    kappa: { dimension: dimensions.inverseLength, min: 0, doc: 'inverse screening length' },
  },
  charges: true,
  energy: (r, kappa) => Math.exp(-kappa * r) / r,
  force: (r, kappa) => (Math.exp(-kappa * r) * (kappa + 1 / r)) / r,
});
