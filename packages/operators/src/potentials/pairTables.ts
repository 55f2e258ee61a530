import { CorpuscleError } from '@corpuscle/core';

/** Lennard-Jones parameters of one pair of types, or of all pairs when `types` is absent. */
export interface LennardJonesPair {
  readonly types?: readonly [string, string];
  readonly epsilon: number;
  readonly sigma: number;
  readonly rcut: number;
}

/**
 * How parameters of unlike types follow from those of like types when they are not given:
 * `lorentz_berthelot` takes the arithmetic mean of sigma and rcut and the geometric mean of epsilon.
 */
export type Mixing = 'none' | 'lorentz_berthelot';

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
  const n = types.length;
  const table: (LennardJonesPair | undefined)[] = new Array(n * n).fill(undefined);
  for (const pair of pairs) {
    checkPair(pair);
    const [a, b] = pair.types
      ? pair.types.map((name) => indexOf(types, name))
      : ([undefined, undefined] as const);
    if (a === undefined || b === undefined) {
      table.fill(pair);
      continue;
    }
    if (table[a * n + b])
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the pair ${types[a]}-${types[b]} is given twice: remove one`,
      );
    table[a * n + b] = table[b * n + a] = pair;
  }
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++)
      table[a * n + b] ??= missing(types, a, b, table[a * n + a], table[b * n + b], mixing);
  const column = (name: 'epsilon' | 'sigma' | 'rcut') =>
    Float64Array.from(table, (pair) => pair![name]);
  const rcut = column('rcut');
  return { epsilon: column('epsilon'), sigma: column('sigma'), rcut, rcutMax: Math.max(...rcut) };
}

function missing(
  types: readonly string[],
  a: number,
  b: number,
  aa: LennardJonesPair | undefined,
  bb: LennardJonesPair | undefined,
  mixing: Mixing,
): LennardJonesPair {
  if (mixing === 'lorentz_berthelot' && a !== b && aa && bb)
    return {
      epsilon: Math.sqrt(aa.epsilon * bb.epsilon),
      sigma: (aa.sigma + bb.sigma) / 2,
      rcut: (aa.rcut + bb.rcut) / 2,
    };
  const remedy =
    mixing === 'none' && a !== b
      ? 'add it to pairs, or set mixing: lorentz_berthelot'
      : 'add it to pairs';
  const alike = mixing === 'none' || a === b;
  const name = alike || !aa ? types[a] : types[b];
  const other = alike ? types[b] : name;
  throw new CorpuscleError(
    'MISSING_PAIR',
    `there are no parameters for the pair ${name}-${other}: ${remedy}`,
  );
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

function indexOf(types: readonly string[], name: string): number {
  const index = types.indexOf(name);
  if (index >= 0) return index;
  throw new CorpuscleError(
    'UNKNOWN_TYPE',
    `'${name}' is not a particle type: the types are ${types.join(', ')}`,
  );
}
