import { CorpuscleError, whyUnreadable } from '@corpuscle/core';
import { type FileHandle, open, type Stats } from '@corpuscle/core/platform';

/** A file that is open for reading. */
export interface OpenInput {
  readonly handle: FileHandle;
  readonly status: Stats;
}

/**
 * Opens a file for reading.
 * @param takes whether the reader can read such a thing, a pipe for instance
 * @throws CorpuscleError FILE_NOT_FOUND
 */
export async function openInput(
  file: string,
  takes: (status: Stats) => boolean,
): Promise<OpenInput> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    throw openFailed(file, cause);
  }
  const status = await handle.stat();
  if (takes(status)) return { handle, status };
  await handle.close();
  throw openFailed(file, 'EISDIR');
}

/** The error of a file, or a disk, that gives no more bytes. @param line the last one that was read, of a text */
export function readFailed(file: string, cause: unknown, line?: number): CorpuscleError {
  const where = line === undefined ? '' : ` on after line ${line}`;
  const message = `'${file}' cannot be read${where}: ${(cause as Error).message}`;
  const location = line === undefined ? undefined : { file, line, column: 1 };
  return new CorpuscleError('FILE_FORMAT', message, { location, cause });
}

/** The error of a file that cannot be opened for reading. @param cause the error of the system, or its code */
export function openFailed(file: string, cause: unknown): CorpuscleError {
  const message = `cannot read '${file}': ${whyUnreadable(cause)}`;
  return new CorpuscleError('FILE_NOT_FOUND', message, { cause });
}
