import type { BlockArray, BlockSpec, FieldBlock } from '@corpuscle/core';
import { joinDouble } from '@corpuscle/functor/wgsl';
import { strainedPoint } from '../box/strainedBox.js';

/** How the rows of a block lie in the memory of an engine. */
export type RowEncoding =
  /** As on the host. */
  | { readonly kind: 'host' }
  /** One row as on the host, which all rows are. */
  | { readonly kind: 'uniform' }
  /** Floats of 32 bits. */
  | { readonly kind: 'single' }
  /** Rows of as many high and then as many low parts as a row has numbers. */
  | { readonly kind: 'double-single' }
  /**
   * Positions from the centers of cells: rows `[ x | y | z | cell ]`, `cell = cx | cy << 10 | cz << 20`, and in a second part low
   * parts of x, y and z where there are any.
   */
  | {
      readonly kind: 'cells';
      /** Edges of a cell by rows, nine numbers. */
      readonly edges: readonly number[];
      /** The center of cell (0, 0, 0). */
      readonly center: readonly number[];
      readonly strain?: readonly number[];
    };

/** Rows of a block in plain data, as they are in the memory that they come from. */
export interface BlockCopy {
  readonly rows: number;
  readonly spec: Pick<BlockSpec, 'type' | 'width'>;
  readonly encoding: RowEncoding;
  readonly parts: readonly ArrayBuffer[];
}

/** Memory that is free to use, for the parts of the copy of a block. */
export type MemoryOfBlock = (block: FieldBlock) => readonly ArrayBuffer[];

/** Rows that are copied at a time where the host's rows have to be made. */
const AT_ONCE = 2 ** 20;

/** Copies rows that the host has. @param spare memory that is free: it is used if it has the size */
export function copyOnHost(block: FieldBlock, rows: number, spare?: ArrayBuffer): BlockCopy {
  const { type, width } = block.spec;
  const Numbers = ARRAYS[type];
  const fits = spare?.byteLength === rows * width * Numbers.BYTES_PER_ELEMENT;
  const numbers = fits ? new Numbers(spare) : new Numbers(rows * width);
  for (let row = 0; row < rows; row += AT_ONCE)
    numbers.set(block.piece(row, Math.min(AT_ONCE, rows - row)) as never, row * width);
  const parts = [numbers.buffer];
  return { rows, spec: { type, width }, encoding: { kind: 'host' }, parts };
}

/**
 * The row that all of these rows are; null where they differ.
 * @param known the same of the rows before these; null if there are none
 */
export function sharedRow(
  rows: BlockArray,
  width: number,
  known: ArrayBuffer | null,
): ArrayBuffer | null {
  const Numbers = rows.constructor as (typeof ARRAYS)[keyof typeof ARRAYS];
  const row = known ? new Numbers(known) : new Numbers(width);
  if (!known) row.set(rows.subarray(0, width) as never);
  // Bits are compared: they tell 0 from −0.
  const all = new Uint32Array(rows.buffer, rows.byteOffset, rows.byteLength / 4);
  const one = new Uint32Array(row.buffer);
  const { length } = one;
  for (let c = 0; c < length; c++) {
    const word = one[c]!;
    for (let k = c; k < all.length; k += length) if (all[k] !== word) return null;
  }
  return row.buffer as ArrayBuffer;
}

/** The numbers of a copy as the host has them: `width` for each row. Positions are absolute, their fourth number is 0. */
export function numbersOf({ rows, spec: { type, width }, encoding, parts }: BlockCopy): BlockArray {
  if (encoding.kind === 'host') return new ARRAYS[type](parts[0]!);
  const numbers = new ARRAYS[type](rows * width);
  if (encoding.kind === 'uniform') {
    const row = new ARRAYS[type](parts[0]!);
    for (let k = 0; k < numbers.length; k++) numbers[k] = row[k % width]!;
    return numbers;
  }
  decodeRows(encoding, { type, width }, parts, numbers, 0);
  return numbers;
}

/** Writes encoded rows over those of the host from `firstRow` on. The fourth number of a position is left alone. */
export function decodeRows(
  encoding: RowEncoding,
  { type, width }: BlockCopy['spec'],
  parts: readonly ArrayBuffer[],
  host: BlockArray,
  firstRow: number,
): void {
  const at = firstRow * width;
  if (encoding.kind === 'single') host.set(new Float32Array(parts[0]!) as never, at);
  else if (encoding.kind === 'double-single')
    joinRows(new Float32Array(parts[0]!), width, host as Float64Array, at);
  else if (encoding.kind === 'cells') {
    placeRows(encoding.edges, encoding.center, parts, host as Float64Array, at);
    if (encoding.strain)
      strainRows(host as Float64Array, at, at + parts[0]!.byteLength / 4, encoding.strain);
  } else host.set(new ARRAYS[type](parts[0]!) as never, at);
}

/** Takes positions of a reference box to where they are. */
function strainRows(
  host: Float64Array,
  first: number,
  end: number,
  numbers: readonly number[],
): void {
  for (let at = first; at < end; at += 4)
    host.set(strainedPoint([host[at]!, host[at + 1]!, host[at + 2]!], numbers), at);
}

const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
} as const;

function joinRows(words: Float32Array, width: number, host: Float64Array, first: number): void {
  for (let k = 0; k < words.length / 2; k++) {
    const at = k + width * Math.floor(k / width);
    host[first + k] = joinDouble(words[at]!, words[at + width]!);
  }
}

function placeRows(
  edges: readonly number[],
  center: readonly number[],
  [device, lowParts]: readonly ArrayBuffer[],
  host: Float64Array,
  first: number,
): void {
  const f32 = new Float32Array(device!);
  const u32 = new Uint32Array(device!);
  const low = lowParts ? new Float32Array(lowParts) : new Float32Array(f32.length);
  for (let axis = 0; axis < 3; axis++) {
    const [a, b, c] = [edges[axis]!, edges[3 + axis]!, edges[6 + axis]!];
    for (let k = 0; k < f32.length; k += 4) {
      const cell = u32[k + 3]!;
      const corner = (cell & 1023) * a + ((cell >>> 10) & 1023) * b + ((cell >>> 20) & 1023) * c;
      host[first + k + axis] = center[axis]! + corner + (f32[k + axis]! + low[k + axis]!);
    }
  }
}
