import { CorpuscleError } from '@corpuscle/core';
import type { Mixing, MixingRule } from './mixing.js';

/** Parameters of one pair of types, or of all pairs when `types` is absent. */
export interface PairEntry {
  readonly types?: readonly [string, string];
}

/** How entries of two unlike types follow from those of the like ones. */
export interface PairMixing<E> {
  readonly chosen: Mixing;
  /** Rules that the potential knows; messages name them. */
  readonly rules: readonly MixingRule[];
  mix(rule: MixingRule, aa: E, bb: E): E;
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
  mixing?: PairMixing<E>,
): E[] {
  if (mixing && mixing.chosen !== 'none' && !mixing.rules.includes(mixing.chosen))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `there is no mixing rule '${mixing.chosen}' for this potential: ${['none', ...mixing.rules].join(', ')}`,
    );
  const n = types.length;
  const given = givenPairs(types, entries);
  return given.map((entry, k) => {
    if (entry) return entry;
    const [a, b] = [Math.floor(k / n), k % n];
    const [aa, bb] = [given[a * n + a], given[b * n + b]];
    if (a === b) throw missing(types[a]!, types[b]!);
    if (!mixing || mixing.chosen === 'none') throw missing(types[a]!, types[b]!, mixing?.rules);
    if (aa && bb) return mixing.mix(mixing.chosen, aa, bb);
    const lacking = types[aa ? b : a]!;
    throw missing(lacking, lacking);
  });
}

/**
 * The entry of every ordered pair of types, row by row; undefined where none is given.
 * @throws CorpuscleError UNKNOWN_TYPE, INVALID_VALUE (a pair given twice).
 */
export function givenPairs<E extends PairEntry>(
  types: readonly string[],
  entries: readonly E[],
): (E | undefined)[] {
  const n = types.length;
  const given: (E | undefined)[] = new Array(n * n).fill(undefined);
  for (const entry of entries) {
    if (!entry.types) {
      given.fill(entry);
      continue;
    }
    const [a, b] = [indexOfType(types, entry.types[0]), indexOfType(types, entry.types[1])];
    if (given[a * n + b])
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the pair ${types[a]}-${types[b]} is given twice: remove one`,
      );
    given[a * n + b] = given[b * n + a] = entry;
  }
  return given;
}

function missing(a: string, b: string, rules: readonly MixingRule[] = []): CorpuscleError {
  const others = rules.length > 0 ? `, or set mixing: ${rules.join(', ')}` : '';
  const remedy = `add it to pairs${others}`;
  return new CorpuscleError(
    'MISSING_PAIR',
    `there are no parameters for the pair ${a}-${b}: ${remedy}`,
  );
}

/** @throws CorpuscleError UNKNOWN_TYPE. */
export function indexOfType(types: readonly string[], name: string): number {
  const index = types.indexOf(name);
  if (index >= 0) return index;
  throw new CorpuscleError(
    'UNKNOWN_TYPE',
    `'${name}' is not a particle type: the types are ${types.join(', ')}`,
  );
}
