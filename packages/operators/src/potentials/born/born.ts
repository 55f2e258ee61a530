import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';
import { dispersion, exponentialRepulsion } from './exponentialSix.js';

/** Born, Mayer and Huggins, and with C = D = 0 Born and Mayer, as LAMMPS's `pair_style born`. */
export const born = definePairPotential({
  name: 'born',
  doc: 'Adds Born–Mayer(–Huggins) forces, u(r) = A exp((sigma − r)/rho) − C/r^6 + D/r^8, cut off at rcut.',
  coefficients: {
    ...exponentialRepulsion,
    sigma: { dimension: dimensions.length, doc: 'distance of contact', mixes: 'length' },
    ...dispersion,
    D: {
      dimension: { length: 10, mass: 1, time: -2 },
      doc: 'strength of the second dispersion, energy length^8',
      mixes: 'strength',
    },
  },
  mixing: ['lorentz_berthelot'],
  energy: (r, A, rho, sigma, C, D) => {
    const s = 1 / (r * r);
    return A * Math.exp((sigma - r) / rho) - s * s * s * (C - D * s);
  },
  force: (r, A, rho, sigma, C, D) => {
    const s = 1 / (r * r);
    return (A / rho) * Math.exp((sigma - r) / rho) - (s * s * s * (6 * C - 8 * D * s)) / r;
  },
});
