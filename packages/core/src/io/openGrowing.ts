import { CorpuscleError } from '@corpuscle/functor/error';
import { openSync } from '#core/platform';
import { cutAt } from './chunkWrites.js';
import { makeFolders } from './folders.js';
import { keepOlder } from './olderFiles.js';
import { type Target, unwritable } from './outputErrors.js';

/** What becomes of a file that is there when one of its name begins to grow. */
export interface OlderFileOptions {
  /** What happens to an older file of the name: `keep` (default) gives it a numbered name, `replace` forgets it. */
  readonly older?: 'keep' | 'replace';
  /** Goes on with the present file after so many bytes; what comes after them is cut off. */
  readonly resumeAt?: number | undefined;
  /** Told before the file is made, in a folder that is there. */
  readonly onOpen?: () => void;
  /** Told the numbered name of an older file. */
  readonly onKept?: (kept: string) => void;
}

/**
 * Opens a file that will grow; missing folders are made.
 * @param name of the file, for messages
 * @returns its descriptor.
 * @throws CorpuscleError UNWRITABLE; FILE_FORMAT when the file to resume is too short.
 */
export function openGrowing(
  name: string,
  { file: target, isStream }: Target,
  { older, resumeAt, onOpen, onKept }: OlderFileOptions,
): number {
  try {
    makeFolders(target);
    onOpen?.();
    const isResumed = resumeAt !== undefined && !isStream;
    if (!isResumed && !isStream && older !== 'replace') {
      const kept = keepOlder(target, 'move');
      if (kept !== null) onKept?.(kept);
    }
    const descriptor = openSync(target, isResumed ? 'r+' : 'w');
    if (isResumed) cutAt(name, descriptor, resumeAt);
    return descriptor;
  } catch (cause) {
    throw cause instanceof CorpuscleError ? cause : unwritable(name, cause);
  }
}
