import { cellFunctor } from '@corpuscle/patterns';

/** Clears forces and particle energies before the force operators add theirs. */
export const zeroForces = cellFunctor(
  {
    name: 'zero_forces',
    fields: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    traits: { gpu: true },
  },
  (i) => {
    i.fx = 0;
    i.fy = 0;
    i.fz = 0;
    i.ep = 0;
  },
);
