import { once } from 'node:events';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { FrameSink, Piece } from './FrameFormat.js';

/** Bytes that may wait for compression before a writer does. */
const QUEUE = 1 << 24;

/**
 * Compresses what is added, in the threads of zlib, while the process does other things. Each frame ends at a boundary of
 * blocks, so that a file that was cut off gives all frames before.
 */
export class GzipSink implements FrameSink {
  readonly position = 0;
  readonly #target: FrameSink;
  #gzip: Gzip;
  #failure: unknown = null;

  constructor(target: FrameSink) {
    this.#target = target;
    this.#gzip = this.#begin();
  }

  #begin(): Gzip {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    gzip.on('data', (bytes: Buffer) => {
      try {
        void this.#target.add([bytes]);
      } catch (error) {
        this.#failure ??= error;
      }
    });
    return gzip;
  }

  async add(pieces: Iterable<Piece>): Promise<void> {
    for (const piece of pieces) {
      if (this.#failure) throw this.#failure;
      this.#gzip.write(piece);
      if (this.#gzip.writableLength > QUEUE) await once(this.#gzip, 'drain');
    }
    this.#gzip.flush(constants.Z_SYNC_FLUSH);
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
    const ended = once(this.#gzip, 'end');
    this.#gzip.end();
    await ended;
    if (this.#failure) throw this.#failure;
  }
}
