import type { BlockArray, Domain, FieldBlock } from '@corpuscle/core';
import type { Communicator, Transfer } from '../communicator/Communicator.js';
import { RankMessages } from './RankMessages.js';
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
  readonly #messages: RankMessages;
  /** Memory for the rows of a block on their way: those of the next step wait until these have arrived. */
  readonly #room = new Map<
    string,
    { readonly leaving: BlockArray; readonly arriving: BlockArray }
  >();

  /** Tells all ranks how many rows they will get. */
  constructor(communicator: Communicator, sent: readonly SentRows[]) {
    const leaving = new Float64Array(communicator.size);
    for (const one of sent) leaving[one.rank]! += one.rows.length;
    this.sent = sent;
    this.#messages = new RankMessages(communicator, leaving);
    this.count = this.#messages.coming;
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
    return { transfer: this.#messages.start(leaving, arriving, bytesPerRow), arriving };
  }

  #roomFor(name: string, array: BlockArray, width: number) {
    let room = this.#room.get(name);
    if (!room) {
      const leaving = numbersLike(array, this.#messages.leaving * width);
      room = { leaving, arriving: numbersLike(array, this.count * width) };
      this.#room.set(name, room);
    }
    return room;
  }

  /** Sends numbers of the ghosts, in their order, to the owners, who add them to their rows of a block. */
  giveBack({ array, spec: { width }, bytesPerRow }: FieldBlock, leaving: BlockArray): void {
    const arriving = numbersLike(array, this.#messages.leaving * width) as Float64Array;
    this.#messages.startBack(leaving, arriving, bytesPerRow).wait();
    let at = 0;
    for (const { rows } of this.sent)
      for (const row of rows)
        for (let k = 0; k < width; k++)
          (array as Float64Array)[row * width + k]! += arriving[at++]!;
  }
}

/** An array of the same type with memory of its own, outside of the heap of JavaScript. */
export function numbersLike(array: BlockArray, length: number): BlockArray {
  const make = array.constructor as new (buffer: ArrayBuffer) => BlockArray;
  return new make(new ArrayBuffer(length * array.BYTES_PER_ELEMENT));
}
