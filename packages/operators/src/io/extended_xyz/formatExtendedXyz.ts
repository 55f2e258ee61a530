import { textOfBytes, utf8 } from '@corpuscle/core/platform';
import { formatNumber } from '../formatNumber.js';
import { type TextColumn, textTable } from '../text/textTable.js';

/** One column (or three) of a frame to write. */
export interface WriteColumn {
  /** Name in `Properties`. */
  readonly name: string;
  readonly type: 'S' | 'R' | 'I' | 'L';
  readonly width: number;
  /** Numbers, or for S indices into `names`: component c of row r at `r · stride + from + c`. */
  readonly values: ArrayLike<number> | ArrayLike<bigint>;
  /** Default `width`. */
  readonly stride?: number;
  /** Default 0. */
  readonly from?: number;
  /** Numbers are multiplied by it; default 1. */
  readonly factor?: number;
  readonly names?: readonly string[];
}

/** A frame as it is written: lengths in the units of the file, columns in the order of the file. */
export interface WriteFrame {
  readonly count: number;
  /** Nine numbers, the vectors a, b and c one after the other; null without a box. */
  readonly lattice: readonly number[] | null;
  /** A corner of the box, three numbers; default 0 0 0. */
  readonly origin?: readonly number[];
  /** Along a, b and c. */
  readonly periodic: readonly boolean[];
  readonly columns: readonly WriteColumn[];
  /** Written as further key=value pairs. */
  readonly properties?: Readonly<Record<string, string | number>>;
  /** Order in which particles are written; default as they come. */
  readonly order?: ArrayLike<number>;
}

/**
 * Gives a frame as extended xyz, in pieces of some thousand lines, so that a large frame is never one string.
 * Every number is the shortest text that reads back to the same f64.
 */
export function* formatExtendedXyz(frame: WriteFrame): Generator<string, void> {
  for (const bytes of extendedXyzPieces(frame)) yield textOfBytes(bytes);
}

/** The same as bytes, for files. */
export function* extendedXyzPieces(frame: WriteFrame): Generator<Uint8Array, void> {
  yield utf8(header(frame));
  yield* textTable(frame.columns.flatMap(wordsOf), frame.count, frame.order);
}

/** A column of each component. */
function wordsOf({ width, stride = width, from = 0, ...column }: WriteColumn): TextColumn[] {
  return Array.from({ length: width }, (_, c) => ({ ...column, stride, from: from + c }));
}

function header(frame: WriteFrame): string {
  const { columns } = frame;
  const parts: string[] = [];
  if (frame.lattice) parts.push(`Lattice="${frame.lattice.map(formatNumber).join(' ')}"`);
  if (frame.lattice && frame.origin?.some((value) => value !== 0))
    parts.push(`Origin="${frame.origin.map(formatNumber).join(' ')}"`);
  const name = (column: WriteColumn) => column.name.replace(/[\s:="{}]+/g, '_');
  parts.push(`Properties=${columns.map((c) => `${name(c)}:${c.type}:${c.width}`).join(':')}`);
  parts.push(`pbc="${frame.periodic.map((flag) => (flag ? 'T' : 'F')).join(' ')}"`);
  for (const [key, value] of Object.entries(frame.properties ?? {}))
    parts.push(`${key}=${typeof value === 'number' ? formatNumber(value) : quote(value)}`);
  return `${frame.count}\n${parts.join(' ')}\n`;
}

function quote(value: string): string {
  return /^[^\s"{}=]+$/.test(value) ? value : `"${value.replaceAll('"', "'")}"`;
}
