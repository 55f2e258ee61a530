import { CorpuscleError } from '@corpuscle/core';
import { completePairs, type PairEntry } from '../pair/completePairs.js';
import { type Mixing, mixedPair, mixingRules } from '../pair/mixing.js';

/** Lennard-Jones parameters of one pair of types, or of all pairs when `types` is absent. */
export interface LennardJonesPair extends PairEntry {
  readonly epsilon: number;
  readonly sigma: number;
  readonly rcut: number;
  /** Where a window begins; see `switch` of `lennardJonesForce`. */
  readonly switchFrom?: number;
}

const mixes = { epsilon: 'strength', sigma: 'length' } as const;

/** Row-major tables over pairs of types, each `types² `long. */
export interface PairTables {
  readonly epsilon: Float64Array;
  readonly sigma: Float64Array;
  readonly rcut: Float64Array;
  /** The largest cutoff. */
  readonly rcutMax: number;
}

/**
 * Completes the table of pair parameters.
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
 */
export function pairTables(
  types: readonly string[],
  pairs: readonly LennardJonesPair[],
  mixing: Mixing = 'none',
): PairTables {
  for (const pair of pairs) checkPair(pair);
  const table = completePairs(types, pairs, {
    chosen: mixing,
    rules: mixingRules,
    mix: (rule, aa, bb) =>
      mixedPair(rule, mixes, { ...aa }, { ...bb }) as unknown as LennardJonesPair,
  });
  const column = (name: 'epsilon' | 'sigma' | 'rcut') =>
    Float64Array.from(table, (pair) => pair[name]);
  const rcut = column('rcut');
  return { epsilon: column('epsilon'), sigma: column('sigma'), rcut, rcutMax: Math.max(...rcut) };
}

function checkPair({ epsilon, sigma, rcut }: LennardJonesPair): void {
  const check = (name: string, value: number, zero: boolean) => {
    if (Number.isFinite(value) && (value > 0 || (zero && value === 0))) return;
    throw new CorpuscleError('INVALID_VALUE', `${name} is ${value}: give a positive number`);
  };
  check('epsilon', epsilon, true);
  check('sigma', sigma, false);
  check('rcut', rcut, false);
}
