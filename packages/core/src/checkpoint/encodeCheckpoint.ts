import { createHash } from '#core/platform';
import { utf8 } from '../io/bytes.js';
import { packSaved, type Saved, type SavedArray } from './Saved.js';

/** First bytes of a checkpoint. */
export const MAGIC = 'CPSCKPT\n';
/** The version of the format; another one is refused. */
export const VERSION = 1;
/** Bytes before the header. */
export const PREFIX = 16;
/** Bytes of the checksum. */
export const CHECKSUM = 32;

const SPACE = 32;

/** Names of array types in a file, and bytes a number. */
export const arrayTypes = {
  f64: { make: Float64Array, bytes: 8 },
  f32: { make: Float32Array, bytes: 4 },
  u32: { make: Uint32Array, bytes: 4 },
  i32: { make: Int32Array, bytes: 4 },
  u64: { make: BigUint64Array, bytes: 8 },
  u8: { make: Uint8Array, bytes: 1 },
} as const;

/** Name of an array type in a file. */
export type ArrayType = keyof typeof arrayTypes;

/** An entry of the table of arrays. */
export interface ArrayEntry {
  /** Its place in the saved data. */
  readonly name: string;
  readonly type: ArrayType;
  /** Numbers. */
  readonly length: number;
}

/** Arrays begin at multiples of so many bytes. */
export const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/**
 * The bytes of a checkpoint, in pieces; numbers are little-endian:
 *
 *   "CPSCKPT\n" │ version u32 │ header length u32 │ header (JSON, spaces up to a multiple of 8) │ arrays │ SHA-256
 *                                                                                               └ each padded to 8 bytes
 *
 * The header is `{ "arrays": [{ "name", "type", "length" } …], "saved": … }`. The checksum is of all bytes before it.
 */
export function* encodeCheckpoint(saved: Saved): Generator<Uint8Array> {
  const { json, arrays } = packSaved(saved);
  const table = arrays.map(({ name, array }): ArrayEntry => {
    return { name, type: typeOf(array), length: array.length };
  });
  const text = utf8(JSON.stringify({ arrays: table, saved: json }));
  const header = new Uint8Array(aligned(text.length)).fill(SPACE);
  header.set(text);
  const prefix = new Uint8Array(PREFIX);
  prefix.set(utf8(MAGIC));
  const numbers = new DataView(prefix.buffer);
  numbers.setUint32(8, VERSION, true);
  numbers.setUint32(12, header.length, true);
  const hash = createHash('sha256');
  for (const piece of [prefix, header, ...arrays.flatMap(({ array }) => padded(array))]) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

function typeOf(array: SavedArray): ArrayType {
  const types = Object.keys(arrayTypes) as ArrayType[];
  return types.find((type) => array instanceof arrayTypes[type].make)!;
}

/** The bytes of an array; a copy, because the memory of a simulation may be shared. */
function padded({ buffer, byteOffset, byteLength }: SavedArray): Uint8Array[] {
  const bytes = new Uint8Array(aligned(byteLength));
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
  return byteLength === 0 ? [] : [bytes];
}
