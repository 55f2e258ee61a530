import { CorpuscleError } from '@corpuscle/core';
import { textOfBytes } from '@corpuscle/core/platform';
import type { Piece } from '../frames/FrameFormat.js';
import { TextMemory } from './TextMemory.js';

/** One word of each line. */
export interface TextColumn {
  /** Numbers, or with `names` places in them: that of row r at `r · stride + from`. */
  readonly values: ArrayLike<number> | ArrayLike<bigint>;
  /** Default 1. */
  readonly stride?: number;
  /** Default 0. */
  readonly from?: number;
  /** Numbers are multiplied by it; default 1. */
  readonly factor?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

/** Memories that are free to use again: making one takes long. */
const idle: TextMemory[] = [];

/**
 * Lines of words with spaces between them, as pieces of bytes: numbers as short as they read back to the same.
 * @param order rows in the order of the lines; default as they come
 * @throws CorpuscleError INVALID_VALUE for a place that has no name.
 * @example
 * [...textTable([{ values: [1, 2] }, { values: [0, 0], names: ['Ar'] }], 2)]; // '1 Ar\n2 Ar\n'
 */
export function* textTable(
  columns: readonly TextColumn[],
  count: number,
  order?: ArrayLike<number>,
): Generator<Uint8Array<ArrayBuffer>> {
  const memory = idle.pop() ?? new TextMemory();
  try {
    memory.begin(columns.map(({ names }) => names ?? null));
    for (let first = 0; first < count; first += memory.rows) {
      const rows = Math.min(memory.rows, count - first);
      const block = { first, rows, step: columns.length, order };
      for (let c = 0; c < columns.length; c++) fill(columns[c]!, memory.numbers, c, block);
      memory.write(rows, (line, c) =>
        otherText(columns[c]!, order?.[first + line] ?? first + line),
      );
      if (memory.isFull) yield memory.take();
    }
    yield memory.take();
  } finally {
    idle.push(memory);
  }
}

/** Pieces as one string: for small frames. */
export function textOf(pieces: Iterable<Piece>): string {
  return [...pieces]
    .map((piece) => (typeof piece === 'string' ? piece : textOfBytes(piece)))
    .join('');
}

interface Block {
  readonly first: number;
  readonly rows: number;
  /** From a row to the next. */
  readonly step: number;
  readonly order: ArrayLike<number> | undefined;
}

/** Puts the numbers of a column in their places from `at` on; NaN for what a double does not hold. */
function fill(column: TextColumn, out: Float64Array, at: number, block: Block): void {
  const { values, stride = 1, from = 0, factor = 1, names } = column;
  if (names) assertNames(column, names.length, block);
  if (values instanceof Float64Array) fillReals(values, stride, from, factor, out, at, block);
  else if (values instanceof BigUint64Array) fillWide(values, stride, from, factor, out, at, block);
  else {
    const { first, rows, step, order } = block;
    for (let line = first, to = at; line < first + rows; line++, to += step) {
      const value = values[(order ? order[line]! : line) * stride + from]!;
      out[to] =
        factor * (typeof value === 'number' || value <= LARGEST ? Number(value) : Number.NaN);
    }
  }
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

function fillReals(
  values: Float64Array,
  stride: number,
  from: number,
  factor: number,
  out: Float64Array,
  at: number,
  { first, rows, step, order }: Block,
): void {
  for (let line = first, to = at; line < first + rows; line++, to += step)
    out[to] = factor * values[(order ? order[line]! : line) * stride + from]!;
}

/** In halves: a BigInt for each number would take five times as long. */
function fillWide(
  values: BigUint64Array,
  stride: number,
  from: number,
  factor: number,
  out: Float64Array,
  at: number,
  { first, rows, step, order }: Block,
): void {
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let line = first, to = at; line < first + rows; line++, to += step) {
    const place = 2 * ((order ? order[line]! : line) * stride + from);
    const high = halves[place + 1]!;
    out[to] = high < 2 ** 21 ? factor * (halves[place]! + 2 ** 32 * high) : Number.NaN;
  }
}

function assertNames(
  { values, stride = 1, from = 0 }: TextColumn,
  names: number,
  block: Block,
): void {
  const { first, rows, order } = block;
  for (let line = first; line < first + rows; line++) {
    const value = values[(order ? order[line]! : line) * stride + from]!;
    if (value >= 0 && value < names) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `row ${line} of a column of names has the place ${value}, and there are ${names} names`,
    );
  }
}

/** With an exponent, no number, or more digits than a double has. */
function otherText({ values, stride = 1, from = 0, factor = 1 }: TextColumn, row: number): string {
  const value = values[row * stride + from]!;
  return String(typeof value === 'number' ? factor * value : value);
}
