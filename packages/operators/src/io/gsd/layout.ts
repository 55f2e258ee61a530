/**
 * The layout of GSD files (version 2), and names of the HOOMD schema. Numbers are little-endian.
 *
 *   head, 256 bytes:  magic | index: location, entries | names: location, entries of 64 bytes | schema version | version
 *                     application, 64 | schema, 64 | 0 …
 *   index:            { frame u64 | N u64 | location i64 | M u32 | name u16 | type u8 | 0 } …   sorted by frame and name
 *   names:            texts that end with 0, one after the other; an empty one is the end
 */
export const magic = 0x65df65df65df65dfn;
export const headBytes = 256;
export const entryBytes = 32;
export const nameBytes = 64;
/** Where the head says where the index is, and how many entries it has room for. */
export const indexAt = 8;

/** Types of numbers by their codes. */
export const types = { u8: 1, u32: 3, u64: 4, i8: 5, i32: 7, f32: 9, f64: 10 } as const;
/** A type of numbers. */
export type GsdType = keyof typeof types;

/** Bytes of each type of numbers. */
export const typeBytes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 2, 3: 4, 4: 8, 5: 1, 6: 2, 7: 4, 8: 8, 9: 4, 10: 8, 11: 1 },
};

/** Names of what our files hold, in the order in which a frame lists them. */
export const names = [
  ...['configuration/step', 'configuration/box', 'particles/N', 'particles/types'],
  ...['particles/typeid', 'particles/mass', 'particles/charge', 'particles/position'],
  ...['particles/velocity', 'particles/image', 'bonds/N', 'bonds/types', 'bonds/typeid'],
  ...['bonds/group', 'log/time', 'log/particles/id'],
] as const;
/** A name of what our files hold. */
export type GsdName = (typeof names)[number];

/** A part of a frame: `rows` × `columns` numbers. */
export interface Chunk {
  readonly name: GsdName;
  readonly type: GsdType;
  readonly rows: number;
  readonly columns: number;
  readonly bytes: Uint8Array;
}
