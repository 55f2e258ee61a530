import type { BlockArray, Domain, FieldBlock } from '@corpuscle/core';
import type { Communicator, Message, Transfer } from '../communicator/Communicator.js';
import type { SentRows } from './sentRows.js';

/** Values on their way to those who see them. */
export interface Values {
  readonly transfer: Transfer;
  /** What arrives, in the order of the ghosts. */
  readonly arriving: BlockArray;
}

/**
 * Sends rows of blocks to the ranks that see them, and takes those that this rank sees: its ghosts, by rank, and of each rank in
 * the order in which it sends them.
 */
export class GhostExchange {
  /** Ghosts of this rank. */
  readonly count: number;
  /** What this rank sends. */
  readonly sent: readonly SentRows[];
  readonly #communicator: Communicator;
  /** Rows that go to each rank, and ghosts that come from it. */
  readonly #leaving: Float64Array;
  readonly #coming: Float64Array;
  readonly #leavingCount: number;
  /** Memory for the rows of a block on their way: those of the next step wait until these have arrived. */
  readonly #room = new Map<
    string,
    { readonly leaving: BlockArray; readonly arriving: BlockArray }
  >();

  /** Tells all ranks how many rows they will get. */
  constructor(communicator: Communicator, sent: readonly SentRows[]) {
    const { size, rank } = communicator;
    this.#communicator = communicator;
    this.sent = sent;
    this.#leaving = new Float64Array(size);
    for (const one of sent) this.#leaving[one.rank]! += one.rows.length;
    this.#leavingCount = sum(this.#leaving);
    const all = communicator.gather(this.#leaving);
    this.#coming = Float64Array.from({ length: size }, (_, from) => all[from * size + rank]!);
    this.count = sum(this.#coming);
  }

  /** Starts to send the rows of a block as they are now; positions as the images that are seen in a box. */
  start(block: FieldBlock, { matrix }: Domain): Values {
    const { array, spec, bytesPerRow } = block;
    const { name, width } = spec;
    const { leaving, arriving } = this.#roomFor(name, array, width);
    const isPosition = name === 'position';
    let at = 0;
    for (const { rows, boxes } of this.sent) {
      const [ka, kb, kc] = boxes;
      const along = (k: number) => ka * matrix[k]! + kb * matrix[k + 3]! + kc * matrix[k + 6]!;
      const [x, y, z] = [along(0), along(1), along(2)];
      for (let n = 0; n < rows.length; n++, at += width) {
        const from = rows[n]! * width;
        for (let k = 0; k < width; k++) leaving[at + k] = array[from + k]!;
        if (!isPosition) continue;
        (leaving as Float64Array)[at]! += x;
        (leaving as Float64Array)[at + 1]! += y;
        (leaving as Float64Array)[at + 2]! += z;
      }
    }
    const transfer = this.transfer(leaving, arriving, bytesPerRow);
    return { transfer, arriving };
  }

  /** Starts to send rows that are packed in the order in which they go, and to take those of the ghosts. */
  transfer(
    leaving: BlockArray | Uint8Array,
    arriving: BlockArray | Uint8Array,
    bytesPerRow: number,
  ) {
    return this.#communicator.start(
      messages(leaving, this.#leaving, bytesPerRow),
      messages(arriving, this.#coming, bytesPerRow),
    );
  }

  /** Sends each rank numbers. @returns what each has sent here */
  tell(numbersFor: (rank: number) => Float64Array<ArrayBuffer>): readonly Float64Array[] {
    const ranks = Array.from({ length: this.#communicator.size }, (_, rank) => rank);
    const bytes = ranks.map((rank) => new Uint8Array(numbersFor(rank).buffer));
    return this.#communicator
      .exchange(bytes)
      .map(({ buffer }) => new Float64Array(buffer as ArrayBuffer));
  }

  #roomFor(name: string, array: BlockArray, width: number) {
    let room = this.#room.get(name);
    if (!room) {
      const leaving = numbersLike(array, this.#leavingCount * width);
      room = { leaving, arriving: numbersLike(array, this.count * width) };
      this.#room.set(name, room);
    }
    return room;
  }

  /** Sends numbers of the ghosts, in their order, to the owners, who add them to their rows of a block. */
  giveBack({ array, spec: { width }, bytesPerRow }: FieldBlock, leaving: BlockArray): void {
    const arriving = numbersLike(array, this.#leavingCount * width) as Float64Array;
    this.#communicator
      .start(
        messages(leaving, this.#coming, bytesPerRow),
        messages(arriving, this.#leaving, bytesPerRow),
      )
      .wait();
    let at = 0;
    for (const { rows } of this.sent)
      for (const row of rows)
        for (let k = 0; k < width; k++)
          (array as Float64Array)[row * width + k]! += arriving[at++]!;
  }
}

const sum = (numbers: Float64Array): number => numbers.reduce((all, one) => all + one, 0);

/** The parts of an array that belong to each rank. */
function messages(
  array: BlockArray | Uint8Array,
  rows: Float64Array,
  bytesPerRow: number,
): Message[] {
  let at = array.byteOffset;
  return Array.from(rows, (count, rank) => {
    const bytes = new Uint8Array(array.buffer, at, count * bytesPerRow);
    at += bytes.length;
    return { rank, bytes };
  });
}

/** An array of the same type with memory of its own, outside of the heap of JavaScript. */
export function numbersLike(array: BlockArray, length: number): BlockArray {
  const make = array.constructor as new (buffer: ArrayBuffer) => BlockArray;
  return new make(new ArrayBuffer(length * array.BYTES_PER_ELEMENT));
}
