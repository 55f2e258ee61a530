import { CorpuscleError, limits } from '@corpuscle/core';
import { type ByteStream, NoEnd, readBytes, StringDecoder } from '#operators/platform';
import { chunkFor } from '../chunkFor.js';
import { openInput, readFailed } from './openInput.js';

/**
 * The lines of a text, read through chunks of at most 1 MiB while the process does other things; a text that is compressed with gzip
 * is known by its first bytes. Line ends may be LF or CRLF; a byte order mark is dropped.
 *
 * @example
 * const lines = await TextSource.open('a.dump.gz');
 * for (let text = await lines.next(); text !== null; text = await lines.next()) use(text, lines.line);
 * await lines.close();
 */
export class TextSource {
  readonly file: string;
  /** Size of the file; `limits.unknownSize` where it is compressed, or no file. What a file announces must fit into it. */
  readonly bytes: number;
  /** Number of the line that was taken last, from 1. */
  line = 0;
  /** Whether compressed text ended without the mark that ends it: what was read is right. */
  isCut = false;
  readonly #mayBeCut: boolean;
  readonly #stream: ByteStream;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #at = 0;
  #isEnded = false;

  private constructor(file: string, bytes: number, stream: ByteStream, mayBeCut: boolean) {
    this.file = file;
    this.bytes = bytes;
    this.#stream = stream;
    this.#mayBeCut = mayBeCut;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /**
   * @param options.mayBeCut whether compressed text ends where its file does, if that is too early; it is refused otherwise
   * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT
   */
  static async open(
    file: string,
    { mayBeCut = false }: { readonly mayBeCut?: boolean } = {},
  ): Promise<TextSource> {
    const { handle, status } = await openInput(file, (found) => !found.isDirectory());
    const head = new Uint8Array(2);
    if (status.isFile())
      await handle.read(head, 0, 2, 0).catch(async (cause: unknown) => {
        await handle.close();
        throw readFailed(file, cause);
      });
    const gzip = head[0] === 0x1f && head[1] === 0x8b;
    const bytes = status.isFile() && !gzip ? status.size : limits.unknownSize;
    const chunk = chunkFor(status.isFile() ? status.size : bytes);
    const stream = readBytes(handle, { chunk, isFile: status.isFile(), gzip });
    return new TextSource(file, bytes, stream, mayBeCut);
  }

  /** The next line where it is in memory, null at the end, undefined where `next` would have to wait. */
  take(): string | null | undefined {
    let end = this.#text.indexOf('\n', this.#at);
    if (end < 0) {
      if (!this.#isEnded) return undefined;
      if (this.#at >= this.#text.length) return null;
      end = this.#text.length;
    }
    const stop = end > this.#at && this.#text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (stop - this.#at > limits.lineLength) this.#refuseLine();
    const line = this.#text.slice(this.#at, stop);
    this.#at = end + 1;
    // A byte order mark is no part of the text.
    return this.line++ === 0 && line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  }

  /** The next line without its end, or null at the end of the text. @throws CorpuscleError FILE_FORMAT */
  async next(): Promise<string | null> {
    for (;;) {
      const line = this.take();
      if (line !== undefined) return line;
      await this.#read();
    }
  }

  /** Whether the last line taken was the last, without an end of its own: it may be torn. */
  get isTorn(): boolean {
    return this.#isEnded && this.#at > this.#text.length;
  }

  async close(): Promise<void> {
    this.#stream.destroy();
  }

  async #read(): Promise<void> {
    const rest = this.#text.slice(this.#at);
    this.#at = 0;
    this.#text = rest;
    if (rest.length > limits.lineLength) this.#refuseLine();
    try {
      const { done, value } = await this.#chunks.next();
      if (done) this.#end();
      else this.#text += this.#decoder.write(value);
    } catch (cause) {
      this.isCut = cause instanceof NoEnd && this.#mayBeCut;
      if (this.isCut) return this.#end();
      throw readFailed(this.file, cause, this.line);
    }
  }

  #end(): void {
    this.#isEnded = true;
    this.#text += this.#decoder.end();
  }

  #refuseLine(): never {
    throw new CorpuscleError(
      'FILE_FORMAT',
      `line ${this.line + 1} is longer than ${limits.lineLength} characters, which is the limit`,
      { location: { file: this.file, line: this.line + 1, column: 1 } },
    );
  }
}
