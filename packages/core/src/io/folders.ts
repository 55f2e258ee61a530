import { existsSync, mkdirSync, path, rmdirSync } from '#core/platform';
import { unwritable } from './outputErrors.js';

/**
 * Makes the folders of a file. One by one: `recursive` of Node never returns for a folder that cannot be made in /proc.
 * `option` is what says where the file goes, for messages.
 * @returns those that were missing.
 * @throws CorpuscleError UNWRITABLE
 */
export function makeFolders(file: string, option = '--output'): readonly string[] {
  const missing: string[] = [];
  for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder)) {
    missing.unshift(folder);
    if (folder === path.dirname(folder)) break;
  }
  try {
    for (const folder of missing) mkdirSync(folder);
  } catch (cause) {
    throw unwritable(file, cause, option);
  }
  return missing;
}

/** Removes folders that are empty, the last first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Another process has put something there: it stays.
    }
  }
}
