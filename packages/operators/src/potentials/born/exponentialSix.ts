import { dimensions } from '@corpuscle/core';

/** Coefficients of an exponential repulsion, A exp(−r/rho). */
export const exponentialRepulsion = {
  A: {
    dimension: dimensions.energy,
    min: 0,
    doc: 'strength of the repulsion',
    mixes: 'strength',
  },
  rho: {
    dimension: dimensions.length,
    above: 0,
    doc: 'range of the repulsion',
    mixes: 'length',
  },
} as const;

/** The coefficient of the dispersion, −C/r^6. */
export const dispersion = {
  C: {
    dimension: { length: 8, mass: 1, time: -2 },
    doc: 'strength of the dispersion, energy length^6',
    mixes: 'strength',
  },
} as const;
