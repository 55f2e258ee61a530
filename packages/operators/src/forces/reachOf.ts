import type { ForceTerm } from './ForceTerm.js';

/** How far lists must reach for these forces; 0 where none looks at neighbors. */
export const reachOf = (forces: readonly ForceTerm[]): number =>
  Math.max(0, ...forces.map(({ rcut }) => rcut));
