/**
 * Potentials of walls by the distance to them, before they are shifted to 0 at the cutoff. `a` and `b` are parameters.
 *
 *   lj93       ε (2/15 (σ/d)⁹ − (σ/d)³)      lj126     4 ε ((σ/d)¹² − (σ/d)⁶)      harmonic   ε (d − rcut)²
 *
 * The first two are infinite at the wall and beyond it, so that a particle that passes it ends the run.
 */
export const wallForms = {
  lj93: {
    energy: (d: number, epsilon: number, sigma: number, _rcut: number): number => {
      const s = sigma / Math.max(d, 0);
      const s3 = s * s * s;
      return epsilon * ((2 / 15) * s3 * s3 * s3 - s3);
    },
    /** −du/dd. */
    force: (d: number, epsilon: number, sigma: number, _rcut: number): number => {
      const at = Math.max(d, 0);
      const s = sigma / at;
      const s3 = s * s * s;
      return (epsilon * (1.2 * s3 * s3 * s3 - 3 * s3)) / at;
    },
  },
  lj126: {
    energy: (d: number, epsilon: number, sigma: number, _rcut: number): number => {
      const s = sigma / Math.max(d, 0);
      const s6 = s * s * s * s * s * s;
      return 4 * epsilon * (s6 * s6 - s6);
    },
    force: (d: number, epsilon: number, sigma: number, _rcut: number): number => {
      const at = Math.max(d, 0);
      const s = sigma / at;
      const s6 = s * s * s * s * s * s;
      return (epsilon * (48 * s6 * s6 - 24 * s6)) / at;
    },
  },
  harmonic: {
    energy: (d: number, epsilon: number, _sigma: number, rcut: number): number =>
      epsilon * (d - rcut) * (d - rcut),
    force: (d: number, epsilon: number, _sigma: number, rcut: number): number =>
      -2 * epsilon * (d - rcut),
  },
} as const;

/** How the potential of a wall depends on the distance to it. */
export type WallForm = keyof typeof wallForms;
