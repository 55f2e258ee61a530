import { textOfBytes } from '@corpuscle/core/platform';
import type { Piece } from '../frames/FrameFormat.js';
import { TextBuffer } from './TextBuffer.js';

/** Buffers that nobody uses: memories of WebAssembly are dear to make. */
const idle: TextBuffer[] = [];

/** Lines, one a row, as pieces of bytes; `write` adds a row without the end of its line, of at most 32 KiB. */
export function* textRows(
  count: number,
  write: (text: TextBuffer, row: number) => void,
): Generator<Uint8Array> {
  const text = idle.pop() ?? new TextBuffer();
  try {
    for (let row = 0; row < count; row++) {
      write(text, row);
      text.byte(10);
      if (text.isFull) yield text.take();
    }
    yield text.take();
  } finally {
    text.take();
    idle.push(text);
  }
}

/** Pieces as one string: for small frames. */
export function textOf(pieces: Iterable<Piece>): string {
  return [...pieces]
    .map((piece) => (typeof piece === 'string' ? piece : textOfBytes(piece)))
    .join('');
}
