import { CorpuscleError, nearestName, suggesting } from '@corpuscle/core';

/**
 * Refuses a key of a declaration that means nothing and is near one that does; others may be an author's own.
 * @param what is declared, with its name
 * @throws CorpuscleError INVALID_VALUE
 */
export function checkKeys(what: string, spec: object, known: readonly string[]): void {
  for (const key of Object.keys(spec)) {
    const meant = known.includes(key) ? undefined : nearestName(key, known);
    if (meant !== undefined)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${what} has a key '${key}', which means nothing: ${suggesting(meant)}`,
      );
  }
}
