import { CorpuscleError } from '@corpuscle/core';
import type { StillingerWeberEntry } from './stillingerWeberForce.js';

/**
 * One entry for every ordered triplet of types, at (i · types + j) · types + k.
 *
 * @throws CorpuscleError MISSING_PAIR (a triplet), UNKNOWN_TYPE, INVALID_VALUE (a pair without extent).
 */
export function completeTriplets(
  types: readonly string[],
  entries: readonly StillingerWeberEntry[],
): StillingerWeberEntry[] {
  const n = types.length;
  const given: (StillingerWeberEntry | undefined)[] = new Array(n ** 3).fill(undefined);
  const indexOf = (name: string): number => {
    const index = types.indexOf(name);
    if (index >= 0) return index;
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `'${name}' is not a particle type: the types are ${types.join(', ')}`,
    );
  };
  for (const entry of entries) {
    const isPair = !entry.types || entry.types[1] === entry.types[2];
    if (isPair && !(entry.sigma > 0 && entry.a > 0))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `sigma is ${entry.sigma} and a ${entry.a}: give positive numbers`,
      );
    if (!entry.types) {
      given.fill(entry);
      continue;
    }
    const [i, j, k] = entry.types.map(indexOf) as [number, number, number];
    given[(i * n + j) * n + k] = entry;
  }
  return given.map((entry, index) => {
    if (entry) return entry;
    const names = [Math.floor(index / n / n), Math.floor(index / n) % n, index % n];
    throw new CorpuscleError(
      'MISSING_PAIR',
      `there are no parameters for the triplet ${names.map((t) => types[t]).join('-')} (corner first): add it`,
    );
  });
}
