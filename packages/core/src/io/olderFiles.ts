import { existsSync, linkSync, path, renameSync } from '#core/platform';

/**
 * Keeps the file of that name under a numbered one, as GROMACS does: `thermo.csv` → `#thermo.csv.1#`, the next older run's is
 * `#thermo.csv.2#`, and so on. A file that is moved leaves its name free; one that is linked stays until it is replaced.
 *
 * @returns the numbered path; null when there is no such file.
 */
export function keepOlder(file: string, how: 'move' | 'link'): string | null {
  if (!existsSync(file)) return null;
  for (let number = 1; ; number++) {
    const kept = path.join(path.dirname(file), `#${path.basename(file)}.${number}#`);
    if (existsSync(kept)) continue;
    try {
      if (how === 'move') renameSync(file, kept);
      else linkOrMove(file, kept);
      return kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Some file systems have no links. */
function linkOrMove(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    renameSync(file, kept);
  }
}
