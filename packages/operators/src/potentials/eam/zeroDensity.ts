import { cellFunctor } from '@corpuscle/patterns';

/** Clears the densities of embedded atoms before their neighbours add theirs. */
export const zeroDensity = cellFunctor(
  { name: 'zero_density', fields: { eamDensity: 'real' } },
  (i) => {
    i.eamDensity = 0;
  },
);
