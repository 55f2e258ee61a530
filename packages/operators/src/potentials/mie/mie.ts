import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Mie (Ann. Phys. 316, 657, 1903), of which Lennard-Jones is n = 12, m = 6; as LAMMPS's `pair_style mie/cut`. */
export const mie = definePairPotential({
  name: 'mie',
  doc: 'Adds Mie forces, u(r) = c epsilon ((sigma/r)^n − (sigma/r)^m), with c such that the depth is epsilon, cut off at rcut.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth', mixes: 'strength' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter', mixes: 'length' },
    n: {
      dimension: dimensions.none,
      above: 0,
      doc: 'exponent of the repulsion',
      mixes: 'exponent',
    },
    m: {
      dimension: dimensions.none,
      above: 0,
      doc: 'exponent of the attraction',
      mixes: 'exponent',
    },
  },
  mixing: ['lorentz_berthelot', 'geometric', 'sixth_power'],
  numbers: ({ epsilon, sigma, n, m }) => [
    epsilon * (n / (n - m)) * (n / m) ** (m / (n - m)),
    sigma,
    n,
    m,
  ],
  // One logarithm serves both powers.
  energy: (r, strength, sigma, n, m) => {
    const x = Math.log(sigma / r);
    return strength * (Math.exp(n * x) - Math.exp(m * x));
  },
  force: (r, strength, sigma, n, m) => {
    const x = Math.log(sigma / r);
    return (strength * (n * Math.exp(n * x) - m * Math.exp(m * x))) / r;
  },
});
