import { CorpuscleError } from '@corpuscle/functor/error';
import { accessSync, constants, path, realpathSync, type Stats, statSync } from '#core/platform';

/** The file by which a run has a folder for itself. */
export const LOCK_NAME = '.corpuscle.lock';

/** @throws CorpuscleError UNWRITABLE when `file` is a folder, may not be replaced, or is the lock of a run. */
export function refuseUnwritableTarget(file: string): void {
  if (path.basename(file) === LOCK_NAME) {
    throw new CorpuscleError(
      'UNWRITABLE',
      `cannot write ${file}: runs lock their folder by a file of this name, choose another name`,
    );
  }
  const stats = statsOf(file);
  if (!stats) return;
  if (stats.isDirectory()) {
    throw new CorpuscleError(
      'UNWRITABLE',
      `cannot write ${file}: it is a folder, choose another name`,
    );
  }
  try {
    accessSync(file, constants.W_OK);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Where bytes go that are written under a name. */
export interface Target {
  /** The file that links lead to. */
  readonly file: string;
  /** Whether it is a device or a pipe, which takes bytes and keeps no length. */
  readonly isStream: boolean;
}

export function targetOf(name: string): Target {
  const stats = statsOf(name);
  if (!stats) return { file: name, isStream: false };
  return stats.isFile()
    ? { file: realpathSync(name), isStream: false }
    : { file: name, isStream: true };
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw unwritable(file, cause); // a part of the path is a file
  }
}

/**
 * A file that cannot be opened: the input names a wrong place, unless it is the disk that takes no more.
 * `option` is what says where it goes.
 */
export function unwritable(file: string, cause: unknown, option = '--output'): CorpuscleError {
  if (OF_THE_DISK.has((cause as NodeJS.ErrnoException).code ?? ''))
    return new CorpuscleError('OUTPUT_FAILED', `cannot write ${file}: ${reasonOf(cause)}`, {
      cause,
    });
  return new CorpuscleError(
    'UNWRITABLE',
    `cannot write ${file}: ${reasonOf(cause)}, choose another place with ${option}`,
    { cause },
  );
}

/** A file that took bytes before and takes no more: the run fails. */
export function outputFailed(file: string, cause: unknown): CorpuscleError {
  return new CorpuscleError(
    'OUTPUT_FAILED',
    `cannot go on writing ${file}: ${reasonOf(cause)}; what was written before is kept`,
    { cause },
  );
}

/** Bytes that are written to a file under no name are lost. */
export const nameLost = (file: string): CorpuscleError =>
  new CorpuscleError(
    'OUTPUT_FAILED',
    `cannot go on writing ${file}: it has been removed or renamed while the run writes to it`,
  );

function reasonOf(cause: unknown): string {
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause);
}

/** What may come up while a run writes, whatever it was asked to write. */
const OF_THE_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ENOENT: 'the folder cannot be made',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file is as large as files may be',
  EIO: 'the disk reports an error',
  EMFILE: 'the process may not open more files',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  EPIPE: 'the reader of the pipe has gone',
};
