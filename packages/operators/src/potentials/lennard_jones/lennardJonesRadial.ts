import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';
import { mixingRules } from '../pair/mixing.js';

/** Lennard-Jones as a function of r, where windows or other potentials meet it; `lennardJones` itself needs no root. */
export const lennardJonesRadial = definePairPotential({
  name: 'lennard_jones',
  doc: 'Adds Lennard-Jones forces, u(r) = 4 epsilon ((sigma/r)^12 − (sigma/r)^6), cut off at rcut.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth', mixes: 'strength' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter', mixes: 'length' },
  },
  mixing: mixingRules,
  energy: (r, epsilon, sigma) => {
    const s = sigma / r;
    const s6 = s * s * s * s * s * s;
    return 4 * epsilon * s6 * (s6 - 1);
  },
  force: (r, epsilon, sigma) => {
    const s = sigma / r;
    const s6 = s * s * s * s * s * s;
    return (24 * epsilon * s6 * (2 * s6 - 1)) / r;
  },
});
