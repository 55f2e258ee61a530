import type { GridField } from './gridFrame.js';

/** The slot of writers whose files have positions and no image flags. */
export const unwrapSlot = {
  unwrap: {
    type: 'boolean',
    default: false,
    doc: 'whether positions go on over the faces of the box',
  },
} as const;

/** What these write beside positions. */
export const unwrapFields = ({ unwrap }: { readonly unwrap: boolean }): readonly GridField[] =>
  unwrap ? ['unwrapped'] : [];
