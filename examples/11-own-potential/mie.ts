// A pair potential of one's own: Mie's (ours is `mie_force`), of which Lennard-Jones is the case n = 12, m = 6.
// It states its energy over the distance; forces, virials, cutoffs, shifts, types, threads and GPUs are not its concern.
// From this folder:
//                                    npx corpuscle run run.yaml --import mie.ts [--backend cpu|webgpu]
import { dimensions } from '@corpuscle/core';
import { definePairPotential, pairForceOperator } from '@corpuscle/operators';

export const mie = definePairPotential({
  name: 'own_mie',
  doc: 'Adds Mie forces, u(r) = c epsilon ((sigma/r)^n − (sigma/r)^m), with c such that the depth is epsilon.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth', mixes: 'strength' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter', mixes: 'length' },
    n: { dimension: dimensions.none, above: 3, doc: 'exponent of the repulsion', mixes: 'mean' },
    m: { dimension: dimensions.none, above: 3, doc: 'exponent of the attraction', mixes: 'mean' },
  },
  mixing: ['lorentz_berthelot', 'geometric'],
  energy: (r, epsilon, sigma, n, m) => {
    const c = (n / (n - m)) * (n / m) ** (m / (n - m));
    return c * epsilon * ((sigma / r) ** n - (sigma / r) ** m);
  },
});

export const ownMieForce = pairForceOperator(mie);
