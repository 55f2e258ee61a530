import { cellFunctor } from '@corpuscle/patterns';

/** Clears the densities of embedded atoms before their neighbors add theirs. */
export const zeroDensity = cellFunctor(
  { name: 'zero_density', fields: { eamDensity: 'real' } },
  (i) => {
    i.eamDensity = 0;
  },
);
