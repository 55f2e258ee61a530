import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { CorpuscleError } from '@corpuscle/core';

const CHUNK = 1 << 20;

/**
 * Reads a text line by line through one chunk of 1 MiB, whatever the size of the file.
 * Line ends may be LF or CRLF; a byte order mark is dropped.
 *
 * @example
 * const lines = new LineReader('a.xyz');
 * for (let text = lines.next(); text !== null; text = lines.next()) use(text, lines.line);
 * lines.close();
 */
export class LineReader {
  readonly file: string;
  readonly bytes: number;
  /** Number of the line `next` gave last, from 1. */
  line = 0;
  #fd: number;
  #buffer = Buffer.allocUnsafe(CHUNK);
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
      const code = (cause as NodeJS.ErrnoException).code;
      const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be opened (${code})`;
      throw new CorpuscleError('FILE_NOT_FOUND', `cannot read '${file}': ${why}`, { cause });
    }
    const status = fstatSync(this.#fd);
    if (status.isDirectory()) {
      this.close();
      throw new CorpuscleError('FILE_NOT_FOUND', `cannot read '${file}': it is a directory`);
    }
    this.bytes = status.isFile() ? status.size : Number.POSITIVE_INFINITY;
  }

  /** The next line without its end, or null at the end of the file. */
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

  close(): void {
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
  }

  #take(): string | null {
    let end = this.#text.indexOf('\n', this.#at);
    while (end < 0 && !this.#ended) {
      // One read per missing line end: lines are far shorter than a chunk.
      this.#text = this.#text.slice(this.#at) + this.#read();
      this.#at = 0;
      end = this.#text.indexOf('\n');
    }
    if (end < 0) {
      if (this.#at >= this.#text.length) return null;
      end = this.#text.length;
    }
    const stop = end > this.#at && this.#text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const line = this.#text.slice(this.#at, stop);
    this.#at = end + 1;
    return line;
  }

  #read(): string {
    const bytes = readSync(this.#fd, this.#buffer, 0, CHUNK, null);
    if (bytes === 0) {
      this.#ended = true;
      return this.#decoder.end();
    }
    const text = this.#decoder.write(this.#buffer.subarray(0, bytes));
    return this.line === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
