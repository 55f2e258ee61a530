import { CorpuscleError } from '@corpuscle/core';
import { indexOfType } from '../pair/completePairs.js';
import { type Mixing, mixedPair } from '../pair/mixing.js';
import type { NumberEntry } from '../pair/pairRows.js';
import { mixesOf, windowOf } from '../pair/pairRows.js';
import type { PairUse, Potentials } from './PairUse.js';

/**
 * What acts on every ordered pair of types: entries for all pairs and those for this one, in their order; where there are none,
 * what a mixing rule makes of the two like pairs.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
 */
export function coverPairs(
  types: readonly string[],
  uses: readonly PairUse[],
  mixing: Mixing,
  potentials: Potentials,
): (readonly PairUse[])[] {
  const n = types.length;
  const given: PairUse[][] = Array.from({ length: n * n }, () => []);
  for (const use of uses) {
    if (!use.types) {
      for (const list of given) list.push(use);
      continue;
    }
    const [a, b] = use.types.map((name) => indexOfType(types, name)) as [number, number];
    given[a * n + b]!.push(use);
    if (a !== b) given[b * n + a]!.push(use);
  }
  return given.map((list, pair) => {
    if (list.length > 0) return list.filter(({ use }) => use !== 'none');
    const [a, b] = [Math.floor(pair / n), pair % n];
    const name = `${types[a]}-${types[b]}`;
    if (a === b || mixing === 'none') throw missing(name, a === b);
    const like = (type: number) => ({ name: types[type]!, list: given[type * (n + 1)]! });
    return mixed(name, like(a), like(b), mixing, potentials);
  });
}

interface Like {
  readonly name: string;
  readonly list: readonly PairUse[];
}

function mixed(
  name: string,
  aa: Like,
  bb: Like,
  rule: Exclude<Mixing, 'none'>,
  potentials: Potentials,
): PairUse[] {
  for (const { name: type, list } of [aa, bb])
    if (list.length === 0) throw missing(`${type}-${type}`, true);
  const usedBy = ({ list }: Like) => list.map((use) => `${use.use} ${use.switch ?? ''}`).join();
  if (usedBy(aa) !== usedBy(bb))
    throw new CorpuscleError(
      'MISSING_PAIR',
      `${aa.name}-${aa.name} and ${bb.name}-${bb.name} have different potentials, which do not mix: give the pair ${name}`,
    );
  return aa.list.map((one, k) => {
    const other = bb.list[k]!;
    if (one.use === 'none') return one;
    const potential = potentials.get(one.use);
    if (!potential?.mixing?.includes(rule))
      throw new CorpuscleError(
        'MISSING_PAIR',
        `${one.use} has no mixing rule '${rule}': give the pair ${name}`,
      );
    const named = (entry: PairUse, type: string): NumberEntry => ({
      ...entry,
      types: [type, type],
    });
    const numbers = mixedPair(
      rule,
      mixesOf(potential, windowOf(potential, one)),
      named(one, aa.name),
      named(other, bb.name),
    );
    return { ...one, ...numbers };
  });
}

const missing = (name: string, isLike: boolean): CorpuscleError =>
  new CorpuscleError(
    'MISSING_PAIR',
    `no potential is given for the pair ${name}: add it to pairs (use: none where there is no force)${isLike ? '' : ', or set mixing'}`,
  );
