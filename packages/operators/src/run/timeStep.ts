import { dimensions } from '@corpuscle/core';

/** The slot `dt` of operators that make a step, or act once in each. */
export const timeStep = {
  type: 'quantity',
  dimension: dimensions.time,
  above: 0,
  required: true,
  doc: 'time step',
} as const;
