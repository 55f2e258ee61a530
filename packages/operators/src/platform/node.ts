import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, createGunzip, createGzip } from 'node:zlib';
import type * as ohm from 'ohm-js';
import { WorkThread } from '../io/thread/WorkThread.js';
import {
  type ByteStream,
  type Compression,
  NoEnd,
  type OnCompressed,
  type ReadBytesOptions,
} from './streams.js';

/* What the operators need of Node. A page has the same names in ./browser.ts; the condition `browser` of package.json chooses. */
export { StringDecoder } from 'node:string_decoder';
export { openH5mdLink } from '../io/h5md/h5mdLink.js';
export { missingForH5md } from '../io/h5md/missingForH5md.js';
export { type ByteStream, type Compression, NoEnd } from './streams.js';
export { withinTime } from './withinTime.js';

/** A thread that runs a worker of `dist`; null where the package has not been built. */
export const openWorkThread: typeof WorkThread.open = (script, what) =>
  WorkThread.open(script, what);

/** The library of grammars, which takes longer to load than many a run to start. */
export const loadOhm = (): typeof ohm => createRequire(import.meta.url)('ohm-js') as typeof ohm;

/** Whether bytes are the same. */
export const areSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Reads a file from its beginning. */
export function readBytes(
  handle: FileHandle,
  { chunk, isFile, gzip }: ReadBytesOptions,
): ByteStream {
  const raw = handle.createReadStream({ highWaterMark: chunk, ...(isFile && { start: 0 }) });
  if (!gzip) return raw;
  return {
    [Symbol.asyncIterator]: () => decompressed(raw, chunk),
    destroy: () => raw.destroy(),
  };
}

/** Bytes that are decompressed at once: they may become a thousand times as many. */
const COMPRESSED = 1 << 14;

/** What bytes are without gzip: all there is comes before an error. */
async function* decompressed(
  raw: AsyncIterable<Uint8Array>,
  chunk: number,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunk });
  const made: Uint8Array[] = [];
  let failure: NodeJS.ErrnoException | null = null;
  gunzip.on('data', (bytes: Uint8Array) => made.push(bytes));
  gunzip.on('error', (error) => {
    failure = error;
  });
  const closed = new Promise((resolve) => gunzip.once('close', resolve));
  const done = async (call: (callback: () => void) => unknown) => {
    await Promise.race([new Promise<void>((resolve) => call(resolve)), closed]);
    return made.splice(0);
  };
  try {
    for await (const bytes of raw)
      for (let at = 0; at < bytes.length; at += COMPRESSED) {
        yield* await done((then) => gunzip.write(bytes.subarray(at, at + COMPRESSED), then));
        if (failure) throw failure;
      }
    yield* await done(() => gunzip.end());
    if (failure)
      throw (failure as { code?: string }).code === 'Z_BUF_ERROR' ? new NoEnd() : failure;
  } finally {
    gunzip.destroy();
  }
}

/** Bytes that may wait for compression before a writer does. */
const QUEUE = 1 << 24;

/** Compresses in the threads of zlib. */
export function compress(onBytes: OnCompressed): Compression {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const made: Uint8Array[] = [];
  gzip.on('data', (bytes: Uint8Array) => made.push(bytes));
  const give = () => {
    if (made.length > 0) onBytes(made.splice(0));
  };
  return {
    async write(piece) {
      gzip.write(piece);
      if (gzip.writableLength > QUEUE) await once(gzip, 'drain');
    },
    flush: () => gzip.flush(constants.Z_SYNC_FLUSH, give),
    async end() {
      const ended = once(gzip, 'end');
      gzip.end();
      await ended;
      give();
    },
  };
}
