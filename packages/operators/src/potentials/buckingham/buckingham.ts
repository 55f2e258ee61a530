import { dispersion, exponentialRepulsion } from '../born/exponentialSix.js';
import { definePairPotential } from '../pair/definePairPotential.js';

/**
 * Buckingham: exponential repulsion and dispersion, as LAMMPS's `pair_style buck`. It falls to −∞ for r → 0, so that
 * particles must not come closer than its maximum.
 */
export const buckingham = definePairPotential({
  name: 'buckingham',
  doc: 'Adds Buckingham forces, u(r) = A exp(−r/rho) − C/r^6, cut off at rcut.',
  coefficients: {
    ...exponentialRepulsion,
    ...dispersion,
  },
  mixing: ['lorentz_berthelot'],
  energy: (r, A, rho, C) => {
    const s = 1 / (r * r);
    return A * Math.exp(-r / rho) - C * s * s * s;
  },
  force: (r, A, rho, C) => {
    const s = 1 / (r * r);
    return (A / rho) * Math.exp(-r / rho) - (6 * C * s * s * s) / r;
  },
});
