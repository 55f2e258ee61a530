import type { BlockArray } from '@corpuscle/core';
import type { Communicator, Message, Transfer } from '../communicator/Communicator.js';

type Rows = BlockArray | Uint8Array;

/** Rows that go from each rank to each other, as many every time, packed in the order of ranks. */
export class RankMessages {
  /** Rows that this rank sends, and gets. */
  readonly leaving: number;
  readonly coming: number;
  readonly #communicator: Communicator;
  readonly #leaving: Float64Array;
  readonly #coming: Float64Array;

  /** Tells all ranks how many rows they will get. @param leaving by rank */
  constructor(communicator: Communicator, leaving: Float64Array) {
    const { size, rank } = communicator;
    this.#communicator = communicator;
    this.#leaving = leaving;
    const all = communicator.gather(leaving);
    this.#coming = Float64Array.from({ length: size }, (_, from) => all[from * size + rank]!);
    this.leaving = sum(leaving);
    this.coming = sum(this.#coming);
  }

  /** Starts to send rows, and to take those of others. */
  start(leaving: Rows, arriving: Rows, bytesPerRow: number): Transfer {
    return this.#communicator.start(
      messages(leaving, this.#leaving, bytesPerRow),
      messages(arriving, this.#coming, bytesPerRow),
    );
  }

  /** The other way: rows that have come go back. */
  startBack(leaving: Rows, arriving: Rows, bytesPerRow: number): Transfer {
    return this.#communicator.start(
      messages(leaving, this.#coming, bytesPerRow),
      messages(arriving, this.#leaving, bytesPerRow),
    );
  }
}

const sum = (numbers: Float64Array): number => numbers.reduce((all, one) => all + one, 0);

/** The parts of an array that belong to each rank. */
function messages(array: Rows, rows: Float64Array, bytesPerRow: number): Message[] {
  let at = array.byteOffset;
  return Array.from(rows, (count, rank) => {
    const bytes = new Uint8Array(array.buffer, at, count * bytesPerRow);
    at += bytes.length;
    return { rank, bytes };
  });
}
