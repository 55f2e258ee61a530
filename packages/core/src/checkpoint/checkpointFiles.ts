import { CorpuscleError } from '@corpuscle/functor/error';
import { existsSync, path, readdirSync, rmSync, statSync } from '#core/platform';
import { keepOlder } from '../io/olderFiles.js';
import { readCheckpoint } from './readCheckpoint.js';
import type { Saved } from './Saved.js';

/** A checkpoint on the disk, by its name. */
export interface CheckpointFile {
  readonly path: string;
  readonly step: number;
}

/** The name of the checkpoint of a step: `checkpoint.ckpt` becomes `checkpoint.1000.ckpt`. */
export function checkpointName(file: string, step: number): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${step}${ext}`);
}

/** The checkpoints of a run that calls them so, the newest first. */
export function checkpointFiles(file: string): CheckpointFile[] {
  const { dir, name, ext } = path.parse(path.resolve(file));
  if (!existsSync(dir)) return [];
  const found: CheckpointFile[] = [];
  for (const entry of readdirSync(dir)) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith(ext)) continue;
    const number = entry.slice(name.length + 1, entry.length - ext.length);
    const file = path.join(dir, entry);
    // Folders and pipes of such a name are no checkpoints: a pipe would be waited for.
    if (/^\d{1,15}$/.test(number) && statSync(file, { throwIfNoEntry: false })?.isFile())
      found.push({ path: file, step: Number(number) });
  }
  return found.sort((a, b) => b.step - a.step);
}

/** Removes all but the newest checkpoints of a run. */
export function pruneCheckpoints(file: string, keep: number): void {
  for (const { path: old } of checkpointFiles(file).slice(keep)) rmSync(old, { force: true });
}

/**
 * Takes checkpoints of later steps out of the way: they belong to another story than the run that begins, or goes on, at a step.
 * @param older `keep` gives them numbered names, `replace` removes them.
 * @returns how many there were.
 */
export function clearCheckpoints(
  file: string,
  after: number,
  older: 'keep' | 'replace' = 'keep',
): number {
  const later = checkpointFiles(file).filter(({ step }) => step > after);
  for (const { path: one } of later) {
    if (older === 'keep') keepOlder(one, 'move');
    else rmSync(one, { force: true });
  }
  return later.length;
}

/** A checkpoint that has been read. */
export interface FoundCheckpoint {
  readonly path: string;
  readonly saved: Saved;
}

/**
 * The newest good checkpoint of a run; null where it has none. Damaged ones are told of, and the one before is taken.
 * @throws CorpuscleError FILE_FORMAT when there are checkpoints and none is good.
 */
export async function newestCheckpoint(
  file: string,
  note: (text: string) => void,
): Promise<FoundCheckpoint | null> {
  const files = checkpointFiles(file);
  for (const [k, { path: one }] of files.entries()) {
    try {
      return { path: one, saved: await readCheckpoint(one) };
    } catch (error) {
      const isDamaged = error instanceof CorpuscleError && error.code === 'FILE_FORMAT';
      if (!isDamaged || k === files.length - 1) throw error;
      note(`${error.message}; the one before it is taken`);
    }
  }
  return null;
}
