import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Weeks, Chandler and Andersen (J. Chem. Phys. 54, 5237, 1971): the repulsive part of Lennard-Jones, with energy 0 at its end. */
export const wca = definePairPotential({
  name: 'wca',
  doc: 'Adds WCA forces, u(r) = 4 epsilon ((sigma/r)^12 − (sigma/r)^6) + epsilon up to the minimum, 2^(1/6) sigma.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'strength', mixes: 'strength' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter', mixes: 'length' },
  },
  mixing: ['lorentz_berthelot', 'geometric', 'sixth_power'],
  cutoff: ({ sigma }) => 2 ** (1 / 6) * sigma,
  energy: (r, epsilon, sigma) => {
    const s = sigma / r;
    const s6 = s * s * s * s * s * s;
    return 4 * epsilon * s6 * (s6 - 1) + epsilon;
  },
  force: (r, epsilon, sigma) => {
    const s = sigma / r;
    const s6 = s * s * s * s * s * s;
    return (24 * epsilon * s6 * (2 * s6 - 1)) / r;
  },
});
