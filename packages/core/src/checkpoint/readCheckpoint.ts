import { CorpuscleError } from '@corpuscle/functor/error';
import { createHash, type FileHandle, type Hash, open, statSync } from '#core/platform';
import { textOfBytes } from '../io/bytes.js';
import { whyUnreadable } from '../io/whyUnreadable.js';
import {
  type ArrayEntry,
  type ArrayType,
  aligned,
  arrayTypes,
  CHECKSUM,
  MAGIC,
  PREFIX,
  VERSION,
} from './encodeCheckpoint.js';
import { type Saved, type SavedArray, unpackSaved } from './Saved.js';

/** Why a file cannot be used as a checkpoint, as a clause. */
class Unfit extends Error {}

/**
 * Reads a checkpoint. Sizes are compared with that of the file before anything is allocated, and the checksum is compared
 * before anything is used.
 *
 * @throws CorpuscleError FILE_NOT_FOUND; FILE_FORMAT for a file that is damaged, or of another version of the format.
 */
export async function readCheckpoint(file: string): Promise<Saved> {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status && !status.isFile()) {
    const what = status.isDirectory() ? 'it is a folder: give a file in it' : 'it is no file';
    throw new CorpuscleError('FILE_FORMAT', `the checkpoint ${file} cannot be used: ${what}`);
  }
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot read the checkpoint ${file}: ${whyUnreadable(cause)}`;
    throw new CorpuscleError('FILE_NOT_FOUND', message, { cause });
  });
  try {
    return await read(handle);
  } catch (cause) {
    if (!(cause instanceof Unfit || cause instanceof SyntaxError || isFormat(cause))) throw cause;
    const why = (cause as Error).message;
    throw new CorpuscleError('FILE_FORMAT', `the checkpoint ${file} cannot be used: ${why}`, {
      cause,
    });
  } finally {
    await handle.close();
  }
}

const isFormat = (error: unknown): boolean =>
  error instanceof CorpuscleError && error.code === 'FILE_FORMAT';

async function read(handle: FileHandle): Promise<Saved> {
  const { size } = await handle.stat();
  if (size < PREFIX + CHECKSUM) throw new Unfit(`it has ${size} bytes, fewer than any checkpoint`);
  const hash = createHash('sha256');
  const prefix = await take(handle, PREFIX, hash);
  if (textOfBytes(prefix.subarray(0, 8)) !== MAGIC) throw new Unfit('it is no checkpoint');
  const numbers = new DataView(prefix.buffer);
  const version = numbers.getUint32(8, true);
  if (version !== VERSION)
    throw new Unfit(`its format has version ${version}, and this program reads version ${VERSION}`);
  const headerBytes = numbers.getUint32(12, true);
  const rest = size - PREFIX - CHECKSUM - headerBytes;
  if (rest < 0) throw new Unfit(`it ends in its header, after ${size} bytes`);
  const header: unknown = JSON.parse(textOfBytes(await take(handle, headerBytes, hash)));
  const { arrays: table, saved } = checkedHeader(header);
  let bytes = 0;
  for (const { type, length } of table) bytes += aligned(length * arrayTypes[type].bytes);
  if (bytes !== rest)
    throw new Unfit(`it has ${rest} bytes of data, and its header tells of ${bytes}`);
  const arrays: SavedArray[] = [];
  for (const entry of table) arrays.push(await takeArray(handle, entry, hash));
  const checksum = await take(handle, CHECKSUM);
  const digest = hash.digest();
  if (!checksum.every((byte, k) => byte === digest[k]))
    throw new Unfit('its checksum is wrong: it is damaged');
  return unpackSaved(saved, arrays);
}

function checkedHeader(header: unknown): { arrays: readonly ArrayEntry[]; saved: unknown } {
  const { arrays, saved } = (header ?? {}) as { arrays?: unknown; saved?: unknown };
  if (!Array.isArray(arrays) || saved === undefined) throw new Unfit('its header has no data');
  for (const entry of arrays as unknown[]) {
    const { type, length } = (entry ?? {}) as Partial<ArrayEntry>;
    const isSound = Number.isSafeInteger(length) && length! >= 0;
    if (!isSound || !Object.hasOwn(arrayTypes, type as ArrayType))
      throw new Unfit('its table of arrays makes no sense');
  }
  return { arrays: arrays as readonly ArrayEntry[], saved };
}

async function takeArray(
  handle: FileHandle,
  { type, length }: ArrayEntry,
  hash: Hash,
): Promise<SavedArray> {
  const { make, bytes } = arrayTypes[type];
  const { buffer } = await take(handle, aligned(length * bytes), hash);
  return new make(buffer, 0, length);
}

/** The next bytes of a file, in memory of their own. */
async function take(
  handle: FileHandle,
  count: number,
  hash?: Hash,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(count);
  for (let done = 0; done < count; ) {
    const { bytesRead } = await handle.read(bytes, done, count - done);
    if (bytesRead === 0) throw new Unfit('it ends early');
    done += bytesRead;
  }
  hash?.update(bytes);
  return bytes;
}
