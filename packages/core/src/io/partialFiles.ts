import { path, randomBytes, readdirSync, rmSync } from '#core/platform';

/** Names have at most 255 bytes. */
const beginningOf = (file: string): string => `.${path.basename(file).slice(0, 50)}.`;

/** The name under which a file is written before it is complete, beside it. A random one is never one that a killed process has left. */
export function partialOf(file: string): string {
  const unique = randomBytes(6).toString('hex');
  return path.join(path.dirname(file), `${beginningOf(file)}${unique}.partial`);
}

/** Removes what killed processes have left of a file. None may be writing it now. */
export function removePartials(file: string): void {
  const folder = path.dirname(file);
  const beginning = beginningOf(file);
  const isPartial = (name: string) =>
    name.startsWith(beginning) && /^[0-9a-f]{12}\.partial$/.test(name.slice(beginning.length));
  try {
    for (const name of readdirSync(folder).filter(isPartial))
      rmSync(path.join(folder, name), { force: true });
  } catch {
    // They may stay.
  }
}
