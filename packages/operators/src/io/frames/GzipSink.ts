import { type Compression, compress } from '#operators/platform';
import type { FrameSink, Piece } from './FrameFormat.js';

/**
 * Compresses what is added, in the threads of zlib, while the process does other things. Each frame ends at a boundary of
 * blocks, and is a record of the file: one that was cut off gives all frames before.
 */
export class GzipSink implements FrameSink {
  readonly position = 0;
  readonly #target: FrameSink;
  #gzip: Compression;
  #failure: unknown = null;
  /** Ends when the records so far have been added: one after the other. */
  #added: Promise<void> = Promise.resolve();

  constructor(target: FrameSink) {
    this.#target = target;
    this.#gzip = this.#begin();
  }

  #begin(): Compression {
    return compress((bytes) => {
      this.#added = this.#added
        .then(() => this.#target.add(bytes))
        .catch((error: unknown) => {
          this.#failure ??= error;
        });
    });
  }

  async add(pieces: Iterable<Piece>): Promise<void> {
    for (const piece of pieces) {
      if (this.#failure) throw this.#failure;
      await this.#gzip.write(piece);
    }
    this.#gzip.flush();
  }

  /** Completes the file so far: more is compressed by itself, as if two files were joined, which readers allow. */
  async endMember(): Promise<void> {
    await this.#end();
    this.#gzip = this.#begin();
  }

  async close(): Promise<void> {
    await this.#end();
    await this.#target.close();
  }

  async #end(): Promise<void> {
    await this.#gzip.end();
    await this.#added;
    if (this.#failure) throw this.#failure;
  }
}
