import { CorpuscleError } from '@corpuscle/core';
import { type FileHandle, utf8 } from '@corpuscle/core/platform';
import * as ohm from 'ohm-js';
import type { ByteStream, Compression, OnCompressed, ReadBytesOptions } from './streams.js';

/* What ./node.ts gives, in a page. */
export { type ByteStream, type Compression, NoEnd } from './streams.js';

/** Frames are made where they are asked for: there is no thread of their own. */
export const openWorkThread = (): null => null;

/** Files of H5MD are those of the system. */
export const missingForH5md = (): string =>
  'files of H5MD need Node: in a page use gsd, dcd, xtc or extended xyz';

/** @throws CorpuscleError BACKEND_UNAVAILABLE */
export function openH5mdLink(): never {
  throw new CorpuscleError('BACKEND_UNAVAILABLE', missingForH5md());
}

export const loadOhm = (): typeof ohm => ohm;

/** Nothing takes a page out of a function: whoever owns its worker ends it. */
export const withinTime = <R>(_work: string, run: () => R): R => run();

/** Compared in words of four bytes where they lie so: a call for each byte took longer than several steps. */
export function areSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const isAligned = (a.byteOffset | b.byteOffset | a.length) % 4 === 0;
  const words = ({ buffer, byteOffset, length }: Uint8Array) =>
    new Uint32Array(buffer, byteOffset, length / 4);
  const [p, q] = isAligned ? [words(a), words(b)] : [a, b];
  for (let k = 0; k < p.length; k++) if (p[k] !== q[k]) return false;
  return true;
}

/** Text that comes in pieces of bytes. */
export class StringDecoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  write(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decoder.decode();
  }
}

/** Reads a file from its beginning. */
export function readBytes(handle: FileHandle, { chunk, gzip }: ReadBytesOptions): ByteStream {
  let at = 0;
  const raw = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const bytes = new Uint8Array(chunk);
      const { bytesRead } = await handle.read(bytes, 0, chunk, at);
      at += bytesRead;
      if (bytesRead === 0) controller.close();
      else controller.enqueue(bytes.subarray(0, bytesRead));
    },
  });
  const stream = gzip ? raw.pipeThrough(new DecompressionStream('gzip')) : raw;
  const reader = stream.getReader();
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    },
    destroy() {
      reader.cancel().catch(() => undefined);
      void handle.close();
    },
  };
}

/** Compresses with the browser's own streams, which cannot be flushed: a file is whole when it has been closed. */
export function compress(onBytes: OnCompressed): Compression {
  const { readable, writable } = new CompressionStream('gzip');
  const writer = writable.getWriter();
  const done = readable.pipeTo(
    new WritableStream({ write: (bytes: Uint8Array) => onBytes([bytes]) }),
  );
  return {
    async write(piece) {
      await writer.ready;
      const bytes = typeof piece === 'string' ? utf8(piece) : new Uint8Array(piece);
      writer.write(bytes).catch(() => undefined); // `end` tells
    },
    flush() {},
    async end() {
      await writer.close();
      await done;
    },
  };
}
