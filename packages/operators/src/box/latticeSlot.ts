import { dimensions } from '@corpuscle/core';

/** A list of lengths. */
export const lengths = {
  type: 'list',
  of: { type: 'quantity', dimension: dimensions.length },
} as const;

/** Three lattice vectors: three rows, or nine numbers. */
export const latticeSlot = {
  type: 'any_of',
  options: [
    { type: 'list', of: { ...lengths, length: 3 }, length: 3 },
    { ...lengths, length: 9 },
  ],
} as const;

/** The nine numbers of what the slot holds. */
export const matrixOf = (lattice: readonly number[] | readonly (readonly number[])[]): number[] =>
  lattice.flat();
