import { neighborhoodFunctor } from '@corpuscle/patterns';

/** The field of a particle: 1 fcc, 2 hcp, 3 bcc, 4 icosahedral, 5 other. */
export const structureBlock = {
  name: 'structure',
  type: 'u32',
  width: 1,
  members: ['structure'],
} as const;

/** Names of structures; index 0 is unused. */
export const structures = ['', 'fcc', 'hcp', 'bcc', 'icosahedral', 'other'] as const;

/**
 * Common neighbor analysis (Honeycutt and Andersen 1987; Faken and Jónsson 1994). Every bond of a particle with 12 or 14 neighbors has a
 * signature: the common neighbors of both, the bonds among these, and the most and fewest of them at one common neighbor.
 *
 *   fcc 12 × 4211      hcp 6 × 4211, 6 × 4220      icosahedral 12 × 5522      bcc 6 × 4422, 8 × 6622
 */
export const commonNeighbors = neighborhoodFunctor(
  {
    name: 'common_neighbors',
    central: { structure: 'u32' },
    work: { isCommon: 'real' },
    params: { rcut2: 'real' },
    helpers: {
      /** Squared distance of two neighbors. */
      apart: (x: number, y: number, z: number): number => x * x + y * y + z * z,
    },
  },
  (i, b, p, h) => {
    i.structure = 5;
    if (b.count !== 12 && b.count !== 14) return;
    let n4211 = 0;
    let n4220 = 0;
    let n5522 = 0;
    let n4422 = 0;
    let n6622 = 0;
    for (let j = 0; j < b.count; j++) {
      let common = 0;
      for (let k = 0; k < b.count; k++) {
        b.isCommon[k] = 0;
        const r2 = h.apart(b.dx[j]! - b.dx[k]!, b.dy[j]! - b.dy[k]!, b.dz[j]! - b.dz[k]!);
        if (k !== j && r2 < p.rcut2) {
          b.isCommon[k] = 1;
          common++;
        }
      }
      let twice = 0;
      let most = 0;
      let fewest = 99;
      for (let k = 0; k < b.count; k++) {
        if (b.isCommon[k]! !== 0) {
          let bonds = 0;
          for (let l = 0; l < b.count; l++) {
            if (l !== k && b.isCommon[l]! !== 0) {
              const r2 = h.apart(b.dx[l]! - b.dx[k]!, b.dy[l]! - b.dy[k]!, b.dz[l]! - b.dz[k]!);
              if (r2 < p.rcut2) bonds++;
            }
          }
          twice += bonds;
          if (bonds > most) most = bonds;
          if (bonds < fewest) fewest = bonds;
        }
      }
      if (common === 4 && twice === 4 && most === 1 && fewest === 1) n4211++;
      if (common === 4 && twice === 4 && most === 2 && fewest === 0) n4220++;
      if (common === 5 && twice === 10 && most === 2 && fewest === 2) n5522++;
      if (common === 4 && twice === 8 && most === 2 && fewest === 2) n4422++;
      if (common === 6 && twice === 12 && most === 2 && fewest === 2) n6622++;
    }
    if (b.count === 12) {
      if (n4211 === 12) i.structure = 1;
      if (n4211 === 6 && n4220 === 6) i.structure = 2;
      if (n5522 === 12) i.structure = 4;
    } else {
      if (n4422 === 6 && n6622 === 8) i.structure = 3;
    }
  },
);
