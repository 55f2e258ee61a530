import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Yukawa's screened interaction, repulsive for A > 0, as LAMMPS's `pair_style yukawa`. */
export const yukawa = definePairPotential({
  name: 'yukawa',
  doc: 'Adds Yukawa forces, u(r) = A exp(−kappa r)/r, cut off at rcut.',
  coefficients: {
    A: {
      dimension: { length: 3, mass: 1, time: -2 },
      doc: 'strength, energy length',
      mixes: 'strength',
    },
    kappa: { dimension: dimensions.inverseLength, min: 0, doc: 'inverse screening length' },
  },
  mixing: ['lorentz_berthelot', 'geometric'],
  energy: (r, A, kappa) => (A * Math.exp(-kappa * r)) / r,
  force: (r, A, kappa) => (A * Math.exp(-kappa * r) * (kappa + 1 / r)) / r,
});
