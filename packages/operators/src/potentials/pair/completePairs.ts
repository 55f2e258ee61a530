import { CorpuscleError } from '@corpuscle/core';

/** Parameters of one pair of types, or of all pairs when `types` is absent. */
export interface PairEntry {
  readonly types?: readonly [string, string];
}

/** Makes the entry of two unlike types out of those of the like ones. */
export interface MixingRule<E> {
  /** As the user writes it, for messages. */
  readonly name: string;
  /** Whether it is in force; if not, messages tell that it exists. */
  readonly on: boolean;
  mix(aa: E, bb: E): E;
}

/**
 * One entry for every ordered pair of types, row by row: what is given, and what a mixing rule makes of it.
 *
 *   types A B, entries A-A, B-A, B-B   →   [A-A, B-A, B-A, B-B]
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE (a pair given twice).
 */
export function completePairs<E extends PairEntry>(
  types: readonly string[],
  entries: readonly E[],
  rule?: MixingRule<E>,
): E[] {
  const n = types.length;
  const given: (E | undefined)[] = new Array(n * n).fill(undefined);
  for (const entry of entries) {
    if (!entry.types) {
      given.fill(entry);
      continue;
    }
    const [a, b] = [indexOf(types, entry.types[0]), indexOf(types, entry.types[1])];
    if (given[a * n + b])
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the pair ${types[a]}-${types[b]} is given twice: remove one`,
      );
    given[a * n + b] = given[b * n + a] = entry;
  }
  return given.map((entry, k) => {
    if (entry) return entry;
    const [a, b] = [Math.floor(k / n), k % n];
    const [aa, bb] = [given[a * n + a], given[b * n + b]];
    if (a === b) throw missing(types[a]!, types[b]!);
    if (!rule?.on) throw missing(types[a]!, types[b]!, rule?.name);
    if (aa && bb) return rule.mix(aa, bb);
    const lacking = types[aa ? b : a]!;
    throw missing(lacking, lacking);
  });
}

function missing(a: string, b: string, mixing?: string): CorpuscleError {
  const remedy = mixing ? `add it to pairs, or set mixing: ${mixing}` : 'add it to pairs';
  return new CorpuscleError(
    'MISSING_PAIR',
    `there are no parameters for the pair ${a}-${b}: ${remedy}`,
  );
}

function indexOf(types: readonly string[], name: string): number {
  const index = types.indexOf(name);
  if (index >= 0) return index;
  throw new CorpuscleError(
    'UNKNOWN_TYPE',
    `'${name}' is not a particle type: the types are ${types.join(', ')}`,
  );
}
