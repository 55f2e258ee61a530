import { CorpuscleError } from '@corpuscle/core';
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
  throw openFailed(file, null);
}

/** The error of a file that cannot be opened for reading; `cause` null for a folder. */
function openFailed(file: string, cause: unknown): CorpuscleError {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  let why = `it cannot be opened (${code})`;
  if (cause === null || code === 'EISDIR') why = 'it is a directory';
  else if (code === 'ENOENT') why = 'there is no such file';
  return new CorpuscleError('FILE_NOT_FOUND', `cannot read '${file}': ${why}`, { cause });
}
