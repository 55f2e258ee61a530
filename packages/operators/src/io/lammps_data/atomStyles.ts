/** Columns of the section Atoms, after which three image flags may follow. */
export const atomStyles = {
  atomic: ['id', 'type', 'x', 'y', 'z'],
  charge: ['id', 'type', 'q', 'x', 'y', 'z'],
  bond: ['id', 'molecule', 'type', 'x', 'y', 'z'],
  angle: ['id', 'molecule', 'type', 'x', 'y', 'z'],
  molecular: ['id', 'molecule', 'type', 'x', 'y', 'z'],
  full: ['id', 'molecule', 'type', 'q', 'x', 'y', 'z'],
} as const;

/** A style of atoms that is read. */
export type AtomStyle = keyof typeof atomStyles;

/** Styles that are written. */
export const writtenStyles = ['atomic', 'charge', 'full'] as const;
/** A style of atoms that is written. */
export type WrittenStyle = (typeof writtenStyles)[number];
