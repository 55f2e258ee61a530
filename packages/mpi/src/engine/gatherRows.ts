import type { FieldBlock } from '@corpuscle/core';
import type { Communicator } from '../communicator/Communicator.js';

/** The rank that writes files. */
const WRITER = 0;

/** Rows of all ranks, rank after rank. */
export interface GatheredRows {
  readonly count: number;
  /** By block. */
  readonly rows: readonly ArrayBuffer[];
}

/**
 * Rows of all ranks, block by block.
 * @param own rows of this rank
 * @param readers who gets them: the rank that writes files, or everyone
 */
export function gatherRows(
  communicator: Communicator,
  blocks: readonly FieldBlock[],
  own: number,
  readers: 'writer' | 'all',
): GatheredRows {
  let count = 0;
  const rows = blocks.map(({ array, bytesPerRow }) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, own * bytesPerRow).slice();
    const messages = communicator.exchange(
      Array.from({ length: communicator.size }, (_, rank) =>
        readers === 'all' || rank === WRITER ? bytes : new Uint8Array(0),
      ),
    );
    const all = new Uint8Array(
      new ArrayBuffer(messages.reduce((sum, { length }) => sum + length, 0)),
    );
    let at = 0;
    for (const message of messages) {
      all.set(message, at);
      at += message.length;
    }
    count = all.length / bytesPerRow;
    return all.buffer;
  });
  return { count, rows };
}
