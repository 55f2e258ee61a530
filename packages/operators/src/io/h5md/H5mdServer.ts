import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { H5mdAppender, type H5mdOptions } from './H5mdAppender.js';
import { H5mdReading } from './H5mdReading.js';
import { loadH5wasm } from './loadH5wasm.js';

/** What the thread of a file is asked. */
export type H5mdRequest =
  | { readonly ask: 'write'; readonly file: string; readonly options: H5mdOptions }
  | { readonly ask: 'goOn'; readonly frames: number }
  | { readonly ask: 'add'; readonly frame: ParticleFrame }
  | { readonly ask: 'settle' }
  | { readonly ask: 'open'; readonly file: string; readonly types: readonly string[] }
  | { readonly ask: 'read'; readonly frame: number }
  | { readonly ask: 'close' };

/** What it answers, by the request. */
export interface H5mdAnswer {
  readonly frames?: number;
  readonly frame?: ParticleFrame;
  readonly notes?: readonly string[];
}

/** Reads or writes one file of H5MD. HDF5 waits for the disk, so that this belongs into a thread of its own. */
export class H5mdServer {
  #appender: H5mdAppender | null = null;
  #reading: H5mdReading | null = null;
  #settling: NodeJS.Immediate | null = null;
  #failure: unknown = null;

  async handle(request: H5mdRequest): Promise<H5mdAnswer> {
    if (this.#failure) throw this.#failure;
    switch (request.ask) {
      case 'write':
        this.#appender = new H5mdAppender(await loadH5wasm(), request.file, request.options);
        return {};
      case 'goOn':
        this.#appender!.goOn(request.frames);
        return {};
      case 'add':
        this.#appender!.add(request.frame);
        this.#settleSoon();
        return {};
      case 'settle':
        this.#appender?.settle({ durable: true });
        return {};
      case 'open': {
        const reading = new H5mdReading(await loadH5wasm(), request.file, request.types);
        this.#reading = reading;
        return { frames: reading.frames, notes: reading.notes };
      }
      case 'read':
        return { frame: this.#reading!.read(request.frame) };
      case 'close':
        this.#close();
        return {};
    }
  }

  /** Makes ready for another file. */
  #close(): void {
    const [reading, appender] = [this.#reading, this.#appender];
    this.#reading = null;
    this.#appender = null;
    reading?.close();
    appender?.settle({ durable: true });
  }

  /** Frames that wait are written first: a file is opened and closed once for all of them. */
  #settleSoon(): void {
    this.#settling ??= setImmediate(() => {
      this.#settling = null;
      try {
        this.#appender?.settle();
      } catch (error) {
        this.#failure ??= error;
      }
    });
  }
}
