import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

const BLOCK = 1 << 16;
const NEWLINE = 10;

/**
 * Cuts off the end of a text file that is not a complete line, as a kill in the middle of a write can leave it.
 * @returns how many bytes were cut.
 */
export function cutTornLine(file: string): number {
  const descriptor = openSync(file, 'r+');
  try {
    const { size } = fstatSync(descriptor);
    const end = endOfLastLine(descriptor, size);
    if (end < size) ftruncateSync(descriptor, end);
    return size - end;
  } finally {
    closeSync(descriptor);
  }
}

/** Where the last complete line ends; 0 where there is none. Reads from the end. */
function endOfLastLine(descriptor: number, size: number): number {
  const block = Buffer.alloc(Math.min(BLOCK, size));
  for (let end = size; end > 0; ) {
    const begin = Math.max(0, end - BLOCK);
    const count = readSync(descriptor, block, 0, end - begin, begin);
    const at = block.subarray(0, count).lastIndexOf(NEWLINE);
    if (at >= 0) return begin + at + 1;
    end = begin;
  }
  return 0;
}
