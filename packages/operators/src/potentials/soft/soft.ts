import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** A push that stays finite and pulls overlapping particles apart, as LAMMPS's `pair_style soft`. */
export const soft = definePairPotential({
  name: 'soft',
  doc: 'Adds soft repulsion, u(r) = A (1 + cos(pi r/rcut)), which ends smoothly at rcut.',
  coefficients: {
    A: {
      dimension: dimensions.energy,
      doc: 'half of the energy at full overlap',
      mixes: 'strength',
    },
  },
  mixing: ['lorentz_berthelot', 'geometric'],
  numbers: ({ A, rcut }) => [A, Math.PI / rcut],
  energy: (r, A, k) => A * (1 + Math.cos(k * r)),
  force: (r, A, k) => A * k * Math.sin(k * r),
});
