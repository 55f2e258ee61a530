import { CorpuscleError } from '@corpuscle/functor/error';
import { type FileHandle, open, path, rename, rmSync } from '#core/platform';
import { utf8 } from './bytes.js';
import { EndingSet } from './EndingSet.js';
import { makeFolders } from './folders.js';
import { keepOlder } from './olderFiles.js';
import { refuseUnwritableTarget, targetOf, unwritable } from './outputErrors.js';
import { partialOf } from './partialFiles.js';
import { syncFolder } from './syncFolder.js';

/** Text or bytes of a file, whole or in pieces. */
export type FileContent = string | Uint8Array | Iterable<string | Uint8Array>;

/** What `writeWhole` does with an older file of the name. */
export interface WriteWholeOptions {
  /** `keep` gives it a numbered name; default `replace`. */
  readonly older?: 'keep' | 'replace';
  /** Told the numbered name of the older file. */
  readonly onKept?: (kept: string) => void;
}

/** Temporary files that are being written: none stays when the process exits by itself. */
const unfinished = new EndingSet<string>((temporary) => rmSync(temporary, { force: true }));

/**
 * Writes a file that appears under its name only when complete: the bytes go to a temporary neighbor, to the disk (fsync), and
 * then get the name, which is synced too. A kill or a power cut leaves the older file or the new one, and never a part. A link
 * stays a link to the new file; a device or a pipe, such as /dev/stdout, is written to directly. Missing folders are made.
 *
 * @throws CorpuscleError UNWRITABLE; OUTPUT_FAILED where the disk is full or fails.
 * @example
 * await writeWhole('result.json', JSON.stringify(result));
 */
export async function writeWhole(
  file: string,
  content: FileContent,
  options: WriteWholeOptions = {},
): Promise<void> {
  const name = path.resolve(file);
  refuseUnwritableTarget(name);
  const { file: target, isStream } = targetOf(name);
  try {
    makeFolders(target);
    if (isStream) await writeTo(target, 'w', content);
    else await replace(target, content, options);
  } catch (cause) {
    throw cause instanceof CorpuscleError ? cause : unwritable(name, cause);
  }
}

async function replace(
  target: string,
  content: FileContent,
  { older = 'replace', onKept }: WriteWholeOptions,
): Promise<void> {
  const temporary = partialOf(target);
  unfinished.add(temporary);
  try {
    await writeTo(temporary, 'wx', content);
    const kept = older === 'keep' ? keepOlder(target, 'link') : null;
    await rename(temporary, target);
    if (kept !== null) onKept?.(kept);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
  }
  await syncFolder(path.dirname(target));
}

async function writeTo(file: string, flags: 'w' | 'wx', content: FileContent): Promise<void> {
  const handle = await open(file, flags);
  try {
    for (const piece of piecesOf(content)) await writeAll(handle, piece);
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, piece: string | Uint8Array): Promise<void> {
  const bytes = typeof piece === 'string' ? utf8(piece) : piece;
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
}

/** @throws CorpuscleError INVALID_VALUE for what has no bytes */
function piecesOf(content: FileContent): Iterable<string | Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return [content];
  if (typeof content?.[Symbol.iterator] === 'function') return content;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `what is written into a file is ${typeof content === 'object' ? 'an object' : String(content)}: give a text, bytes, or pieces of them`,
  );
}
