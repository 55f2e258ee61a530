/** Slots of the argument records of cell, reduce and block kernels. */
export const argumentNames = {
  param: (name: string): string => `p.${name}`,
  tableAddress: (name: string): string => `p.${name}.address`,
  /** Highest index that may be read; indices are clamped to it. */
  tableLast: (name: string): string => `p.${name}.last`,
  block: (name: string): string => `block.${name}`,
  count: 'count',
  partials: 'partials',
  /** Rows to be worked on, where they are not all. */
  list: 'list',
  arrayAddress: (name: string): string => `a.${name}.address`,
  arrayLast: (name: string): string => `a.${name}.last`,
  arrayLength: (name: string): string => `a.${name}.length`,
  /** Where refused writes are noted: [array number + 1, index]. */
  refused: 'refused',
  scratch: 'scratch',
  /** Indices of a block space that share a record of results. */
  perRecord: 'perRecord',
  nx: 'nx',
  ny: 'ny',
} as const;

/** Particles that a reduction adds plainly before the sum goes to its compensated total. */
export const PARTIAL = 256;
