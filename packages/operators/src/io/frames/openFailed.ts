import { CorpuscleError } from '@corpuscle/core';

/** The error of a file that cannot be opened for reading; `cause` null for a folder. */
export function openFailed(file: string, cause: unknown): CorpuscleError {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  let why = `it cannot be opened (${code})`;
  if (cause === null || code === 'EISDIR') why = 'it is a directory';
  else if (code === 'ENOENT') why = 'there is no such file';
  return new CorpuscleError('FILE_NOT_FOUND', `cannot read '${file}': ${why}`, { cause });
}
