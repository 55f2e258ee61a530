import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** A Gaussian well, or a hill for A < 0, as LAMMPS's `pair_style gauss`. */
export const gauss = definePairPotential({
  name: 'gauss',
  doc: 'Adds Gaussian forces, u(r) = −A exp(−B r^2), cut off at rcut.',
  coefficients: {
    A: { dimension: dimensions.energy, doc: 'depth', mixes: 'strength' },
    B: { dimension: { length: -2 }, min: 0, doc: 'inverse square of the width' },
  },
  mixing: ['lorentz_berthelot', 'geometric'],
  energy: (r, A, B) => -A * Math.exp(-B * r * r),
  force: (r, A, B) => -2 * A * B * r * Math.exp(-B * r * r),
});
