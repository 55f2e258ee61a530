import { cellFunctor } from '@corpuscle/patterns';

/** Clears the energies of all particles. */
export const zeroEnergies = cellFunctor(
  { name: 'zero_energies', fields: { ep: 'real' }, traits: { gpu: true } },
  (i) => {
    i.ep = 0;
  },
);
