import { dimensions } from '@corpuscle/core';

const entries = <const E extends object>(of: E) =>
  ({
    xx: { ...of, doc: 'along x' },
    yy: { ...of, doc: 'along y' },
    zz: { ...of, doc: 'along z' },
    xy: { ...of, doc: 'of y over x' },
    xz: { ...of, doc: 'of z over x' },
    yz: { ...of, doc: 'of z over y' },
  }) as const;

/** Strains by component. */
export const strainEntries = entries({ type: 'number' });
/** Strain rates by component. */
export const rateEntries = entries({ type: 'quantity', dimension: dimensions.frequency });
