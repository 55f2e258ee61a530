import { dimensions } from '@corpuscle/core';
import { definePairPotential } from '../pair/definePairPotential.js';

/** Morse (Phys. Rev. 34, 57, 1929): a well of depth D at r0; D and alpha as in LAMMPS's `pair_style morse`. */
export const morse = definePairPotential({
  name: 'morse',
  doc: 'Adds Morse forces, u(r) = D (exp(−2 alpha (r − r0)) − 2 exp(−alpha (r − r0))), cut off at rcut.',
  coefficients: {
    D: { dimension: dimensions.energy, min: 0, doc: 'depth', mixes: 'strength' },
    alpha: { dimension: dimensions.inverseLength, above: 0, doc: 'inverse width', mixes: 'mean' },
    r0: { dimension: dimensions.length, above: 0, doc: 'distance of the minimum', mixes: 'length' },
  },
  mixing: ['lorentz_berthelot'],
  energy: (r, D, alpha, r0) => {
    const x = Math.exp(-alpha * (r - r0));
    return D * x * (x - 2);
  },
  force: (r, D, alpha, r0) => {
    const x = Math.exp(-alpha * (r - r0));
    return 2 * D * alpha * x * (x - 1);
  },
});
