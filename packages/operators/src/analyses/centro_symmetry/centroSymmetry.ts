import { neighborhoodFunctor } from '@corpuscle/patterns';

/** Most neighbors of the parameter, and the pairs that they make. */
export const MOST_NEAREST = 16;

/** Fields of a particle: the parameter, and how many neighbors it was taken over. */
export const centroBlock = {
  name: 'centro_symmetry',
  type: 'f64',
  width: 4,
  members: ['centro_symmetry', 'centro_neighbors', null, null],
} as const;

/**
 * Σ |R_k + R_l|² over those N/2 pairs of the N nearest neighbors for which it is smallest (Kelchner, Plimpton and Hamilton, Phys. Rev. B
 * 58, 11085 (1998)): 0 where every neighbor has one opposite to it. Particles with fewer neighbors get 0, as in LAMMPS.
 */
export const centroSymmetry = neighborhoodFunctor(
  {
    name: 'centro_symmetry',
    central: { centro_symmetry: 'real', centro_neighbors: 'real' },
    work: { taken: 'real' },
    params: { nearest: 'u32' },
  },
  (i, b, p, h) => {
    const x = new Array(16).fill(0);
    const y = new Array(16).fill(0);
    const z = new Array(16).fill(0);
    const pairs = new Array(120).fill(0);
    i.centro_symmetry = 0;
    i.centro_neighbors = h.real(b.count);
    if (b.count < p.nearest) return;
    for (let k = 0; k < b.count; k++) b.taken[k] = 0;
    for (let n = 0; n < p.nearest; n++) {
      let best = 0;
      let least = 1e30;
      for (let k = 0; k < b.count; k++) {
        if (b.taken[k]! === 0 && b.r2[k]! < least) {
          least = b.r2[k]!;
          best = k;
        }
      }
      b.taken[best] = 1;
      x[n] = b.dx[best]!;
      y[n] = b.dy[best]!;
      z[n] = b.dz[best]!;
    }
    let count = 0;
    for (let k = 1; k < p.nearest; k++) {
      for (let l = 0; l < k; l++) {
        const sx = x[k]! + x[l]!;
        const sy = y[k]! + y[l]!;
        const sz = z[k]! + z[l]!;
        pairs[count] = sx * sx + sy * sy + sz * sz;
        count++;
      }
    }
    let sum = 0;
    for (let n = 0; n < p.nearest >> 1; n++) {
      let best = 0;
      for (let k = 1; k < count; k++) if (pairs[k]! < pairs[best]!) best = k;
      sum += pairs[best]!;
      pairs[best] = 1e30;
    }
    i.centro_symmetry = sum;
  },
);
