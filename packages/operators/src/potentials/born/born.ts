import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Born, Mayer and Huggins, and with C = D = 0 Born and Mayer, as LAMMPS's `pair_style born`. */
export const born = definePairPotential({
  name: 'born',
  doc: 'Adds Born–Mayer(–Huggins) forces, u(r) = A exp((sigma − r)/rho) − C/r^6 + D/r^8, cut off at rcut.',
  coefficients: {
    A: {
      dimension: dimensions.energy,
      min: 0,
      doc: 'strength of the repulsion',
      mixes: 'strength',
    },
    rho: {
      dimension: dimensions.length,
      above: 0,
      doc: 'range of the repulsion',
      mixes: 'length',
    },
    sigma: { dimension: dimensions.length, doc: 'distance of contact', mixes: 'length' },
    C: {
      dimension: { length: 8, mass: 1, time: -2 },
      doc: 'strength of the dispersion, energy length^6',
      mixes: 'strength',
    },
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
