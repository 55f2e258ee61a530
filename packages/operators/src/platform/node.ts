import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import type * as ohm from 'ohm-js';
import { WorkThread } from '../io/thread/WorkThread.js';
import type { ByteStream, Compression, ReadBytesOptions } from './streams.js';

/* What the operators need of Node. A page has the same names in ./browser.ts; the condition `browser` of package.json chooses. */
export { StringDecoder } from 'node:string_decoder';
export { openH5mdLink } from '../io/h5md/h5mdLink.js';
export type { ByteStream, Compression } from './streams.js';

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
  { chunk, isFile, gzip, mayBeCut }: ReadBytesOptions,
): ByteStream {
  const raw = handle.createReadStream({ highWaterMark: chunk, ...(isFile && { start: 0 }) });
  // An error of either stream reaches the one that is read.
  if (!gzip) return raw;
  const finishFlush = mayBeCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  return pipeline(raw, createGunzip({ chunkSize: chunk, finishFlush }), () => undefined);
}

/** Bytes that may wait for compression before a writer does. */
const QUEUE = 1 << 24;

/** Compresses in the threads of zlib. */
export function compress(onBytes: (bytes: Uint8Array) => void): Compression {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.on('data', onBytes);
  return {
    async write(piece) {
      gzip.write(piece);
      if (gzip.writableLength > QUEUE) await once(gzip, 'drain');
    },
    flush: () => gzip.flush(constants.Z_SYNC_FLUSH),
    async end() {
      const ended = once(gzip, 'end');
      gzip.end();
      await ended;
    },
  };
}
