import { CorpuscleError, limits } from '@corpuscle/core';
import { closeSync, fstatSync, openSync, readSync } from '@corpuscle/core/platform';
import { StringDecoder } from '#operators/platform';
import { chunkFor } from './chunkFor.js';
import { openFailed, readFailed } from './frames/openInput.js';
import { textLocation } from './textLocation.js';

/**
 * Reads a text line by line through one chunk of at most 1 MiB.
 * Line ends may be LF or CRLF; a byte order mark is dropped. A line above `limits.lineLength` is refused.
 *
 * @example
 * const lines = new LineReader('a.xyz');
 * for (let text = lines.next(); text !== null; text = lines.next()) use(text, lines.line);
 * lines.close();
 */
export class LineReader {
  readonly file: string;
  /** Size of the file; `limits.unknownSize` where it has none, as a pipe. What a file announces must fit into it. */
  readonly bytes: number;
  /** Number of the line `next` gave last, from 1. */
  line = 0;
  #fd: number;
  readonly #buffer: Uint8Array;
  #decoder = new StringDecoder('utf8');
  #text = '';
  #at = 0;
  #ended = false;
  #peeked: string | null | undefined;

  /** @throws CorpuscleError FILE_NOT_FOUND when the file cannot be opened for reading. */
  constructor(file: string) {
    this.file = file;
    try {
      this.#fd = openSync(file, 'r');
    } catch (cause) {
      throw openFailed(file, cause);
    }
    const status = fstatSync(this.#fd);
    if (status.isDirectory()) {
      this.close();
      throw openFailed(file, 'EISDIR');
    }
    this.bytes = status.isFile() ? status.size : limits.unknownSize;
    this.#buffer = new Uint8Array(chunkFor(this.bytes));
  }

  /**
   * The next line without its end, or null at the end of the file.
   * @throws CorpuscleError FILE_FORMAT when the line is too long, or the disk fails.
   */
  next(): string | null {
    if (this.#peeked !== undefined) {
      const peeked = this.#peeked;
      this.#peeked = undefined;
      if (peeked !== null) this.line++;
      return peeked;
    }
    const text = this.#take();
    if (text !== null) this.line++;
    return text;
  }

  /** What `next` will return, without going there. */
  peek(): string | null {
    if (this.#peeked === undefined) this.#peeked = this.#take();
    return this.#peeked;
  }

  /** Whether the last line taken was the last, without an end of its own: it may be torn. */
  get isTorn(): boolean {
    return this.#ended && this.#at > this.#text.length;
  }

  close(): void {
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
  }

  #take(): string | null {
    let end = this.#text.indexOf('\n', this.#at);
    while (end < 0 && !this.#ended) {
      const rest = this.#text.slice(this.#at);
      const more = this.#read();
      const found = more.indexOf('\n');
      // Only what is new is searched, so that a long line costs no more a character than short ones.
      end = found < 0 ? -1 : rest.length + found;
      this.#text = rest + more;
      this.#at = 0;
      if (end < 0 && this.#text.length > limits.lineLength) this.#tooLong();
    }
    if (end < 0) {
      if (this.#at >= this.#text.length) return null;
      end = this.#text.length;
    }
    if (end - this.#at > limits.lineLength) this.#tooLong();
    const stop = end > this.#at && this.#text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const line = this.#text.slice(this.#at, stop);
    this.#at = end + 1;
    return line;
  }

  #tooLong(): never {
    const line = this.line + 1;
    throw new CorpuscleError(
      'FILE_FORMAT',
      `line ${line} has more than ${limits.lineLength} characters: this is no text of lines`,
      {
        location: textLocation(this.file, line, 1, this.#text.slice(this.#at, this.#at + 100)),
      },
    );
  }

  #read(): string {
    let bytes: number;
    try {
      bytes = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, null);
    } catch (cause) {
      throw readFailed(this.file, cause, this.line);
    }
    if (bytes === 0) {
      this.#ended = true;
      return this.#decoder.end();
    }
    const text = this.#decoder.write(this.#buffer.subarray(0, bytes));
    return this.line === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
