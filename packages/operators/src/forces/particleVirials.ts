import { dimensions } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';

/**
 * Shares of particles in the virial Σ d_a F_b.
 *
 *   [ vxx vyy vzz _ | … ]     [ vxy vxz vyz _ | … ]
 */
export const virialBlocks = [
  {
    name: 'virial_diagonal',
    type: 'f64',
    width: 4,
    members: ['vxx', 'vyy', 'vzz', null],
    dimension: dimensions.energy,
  },
  {
    name: 'virial_shear',
    type: 'f64',
    width: 4,
    members: ['vxy', 'vxz', 'vyz', null],
    dimension: dimensions.energy,
  },
] as const;

/** Clears the shares. */
export const zeroVirials = cellFunctor(
  {
    name: 'zero_virials',
    fields: { vxx: 'real', vyy: 'real', vzz: 'real', vxy: 'real', vxz: 'real', vyz: 'real' },
    traits: { gpu: true },
  },
  (i) => {
    i.vxx = 0;
    i.vyy = 0;
    i.vzz = 0;
    i.vxy = 0;
    i.vxz = 0;
    i.vyz = 0;
  },
);
