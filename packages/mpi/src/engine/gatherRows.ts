import type { FieldBlock } from '@corpuscle/core';
import type { Communicator } from '../communicator/Communicator.js';

/** The rank that writes files. */
const WRITER = 0;

/** Rows of all ranks, rank after rank, for the one that writes; the others get none. @param own rows of this rank */
export function gatherRows(
  communicator: Communicator,
  blocks: readonly FieldBlock[],
  own: number,
): { readonly count: number; readonly rows: readonly ArrayBuffer[] } {
  let count = 0;
  const rows = blocks.map(({ array, bytesPerRow }) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, own * bytesPerRow);
    const messages = communicator.exchange(
      Array.from({ length: communicator.size }, (_, rank) =>
        rank === WRITER ? bytes.slice() : new Uint8Array(0),
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
