import { utf8 } from '@corpuscle/core/platform';
import { assembleModule } from '@corpuscle/functor/wasm';
import { memoryOf } from '../thread/spareMemory.js';
import { layout } from './decimalFunction.js';
import { tableFunction } from './tableFunction.js';

/** Bytes of a piece of text. */
const PIECE = 1 << 18;
/** Bytes of text that are made at once. */
const BLOCK = 1 << 15;
/** Bytes of a number and what is after it, at most, and bytes that may be written after the end of a text. */
const [NUMBER, SLACK] = [32, 64] as const;
const PAGE = 1 << 16;

type Table = (cell: number, cells: number, columns: number, numbers: number) => number;

let compiled: WebAssembly.Module | undefined;

/**
 * Memory in which numbers become text. The text of a number is the shortest that reads back to the same, the sign of zero included.
 *
 *   powers of ten | kinds of columns | words | numbers of a block of rows | text
 */
export class TextMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #table: Table;
  #columns = 0;
  #numbersAt = 0;
  #textAt = 0;
  /** Bytes of a piece. */
  #mostBytes = 0;
  /** Rows of a block. */
  rows = 0;
  /** Numbers of a block, rows one after the other. */
  numbers = new Float64Array();

  constructor() {
    compiled ??= new WebAssembly.Module(
      assembleModule({
        functions: [tableFunction()],
        memory: { minimum: 1, shared: false },
      }) as Uint8Array<ArrayBuffer>,
    );
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.#table = exports.table as Table;
    fillPowers(this.#memory.buffer);
  }

  /** Makes room for rows of columns: null for numbers, or a list of words. */
  begin(columns: readonly (readonly string[] | null)[]): void {
    const words = columns.map((list) => list?.map((word) => utf8(word)) ?? null);
    const most = (list: readonly Uint8Array[]) =>
      list.reduce((longest, { length }) => Math.max(longest, length), 0);
    const rowBytes = words.reduce((sum, list) => sum + (list ? most(list) + 1 : NUMBER), 0);
    this.#columns = columns.length;
    this.rows = Math.max(1, Math.floor(BLOCK / rowBytes));
    let at = layout.kinds + 4 * columns.length;
    const lists = words.map((list) => {
      if (!list) return 0;
      const begin = aligned(at);
      at = begin + 8 * list.length + list.reduce((sum, { length }) => sum + length, 0);
      return begin;
    });
    this.#numbersAt = aligned(at + SLACK);
    const cells = this.rows * columns.length;
    this.#textAt = this.#numbersAt + 8 * cells;
    this.#mostBytes = PIECE + this.rows * rowBytes;
    const end = this.#textAt + this.#mostBytes + SLACK;
    const missing = Math.ceil((end - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.#memory.grow(missing);
    this.numbers = new Float64Array(this.#memory.buffer, this.#numbersAt, cells);
    new Int32Array(this.#memory.buffer, layout.kinds, columns.length).set(lists);
    lists.forEach((begin, k) => {
      if (begin > 0) putWords(this.#memory.buffer, begin, words[k]!);
    });
    this.#at = this.#textAt;
  }

  /** Adds the lines of so many rows of `numbers`; `other` gives texts of numbers with exponents, and of what is no number. */
  write(rows: number, other: (row: number, column: number) => string): void {
    const columns = this.#columns;
    const cells = rows * columns;
    for (let cell = 0; ; cell++) {
      cell = this.#table(cell, cells, columns, this.#numbersAt);
      if (cell === cells) return;
      const column = cell % columns;
      const text = utf8(other((cell - column) / columns, column));
      const bytes = new Uint8Array(this.#memory.buffer, this.#at);
      bytes.set(text);
      bytes[text.length] = column === columns - 1 ? 10 : 32;
      this.#at += text.length + 1;
    }
  }

  /** Whether a piece is full: `take` it before more is written. */
  get isFull(): boolean {
    return this.#at - this.#textAt >= PIECE;
  }

  /** A copy of what was written since the last time. */
  take(): Uint8Array<ArrayBuffer> {
    const text = new Uint8Array(this.#memory.buffer).subarray(this.#textAt, this.#at);
    this.#at = this.#textAt;
    // Full pieces are of one size, as their memory is used again.
    const memory = text.length < PIECE ? new ArrayBuffer(text.length) : memoryOf(this.#mostBytes);
    const bytes = new Uint8Array(memory, 0, text.length);
    bytes.set(text);
    return bytes;
  }

  get #at(): number {
    return new Int32Array(this.#memory.buffer, layout.at, 1)[0]!;
  }

  set #at(address: number) {
    new Int32Array(this.#memory.buffer, layout.at, 1)[0] = address;
  }
}

const aligned = (address: number): number => Math.ceil(address / 16) * 16;

/** A list of words: address and bytes of each, then their texts. */
function putWords(memory: ArrayBuffer, begin: number, words: readonly Uint8Array[]): void {
  const entries = new Int32Array(memory, begin, 2 * words.length);
  let at = begin + 8 * words.length;
  words.forEach((word, k) => {
    entries.set([at, word.length], 2 * k);
    new Uint8Array(memory).set(word, at);
    at += word.length;
  });
}

/** Powers of ten as 128 bits of a fraction, rounded up, low half first; and as whole numbers. */
function fillPowers(memory: ArrayBuffer): void {
  const powers = new BigUint64Array(memory, layout.powers);
  for (let k = layout.lowest; k <= layout.highest; k++) {
    const shift = 127n - BigInt(Math.floor(k * Math.log2(10)));
    const over = k >= 0 ? 10n ** BigInt(k) : 1n;
    const under = k >= 0 ? 1n : 10n ** BigInt(-k);
    const numerator = shift >= 0n ? over << shift : over >> -shift;
    const power = (numerator + under - 1n) / under;
    powers.set([power & 0xffff_ffff_ffff_ffffn, power >> 64n], 2 * (k - layout.lowest));
  }
  new BigUint64Array(memory, layout.tens, 18).set(
    Array.from({ length: 18 }, (_, k) => 10n ** BigInt(k)),
  );
}
