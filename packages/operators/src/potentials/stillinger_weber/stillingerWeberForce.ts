import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import { stillingerWeber } from './stillingerWeber.js';

/** The parameters of a triplet with corner `types[0]`, as in a line of LAMMPS's `.sw` files; lengths and energies in simulation units. */
export interface StillingerWeberEntry {
  /** Corner and two neighbors; absent: all triplets. */
  readonly types?: readonly [string, string, string];
  readonly epsilon: number;
  readonly sigma: number;
  readonly a: number;
  readonly lambda: number;
  readonly gamma: number;
  readonly cosTheta0: number;
  readonly A: number;
  readonly B: number;
  readonly p: number;
  readonly q: number;
  /** Where exponents fall below this, nothing is computed; default 0: up to the cutoff. */
  readonly tol?: number;
}

/** The coefficients of Stillinger and Weber's potential, in simulation units. */
export interface StillingerWeberOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** One entry for each ordered triplet; its pair parameters come from those with two equal neighbors, i j j. */
  readonly triplets: readonly StillingerWeberEntry[];
}

/** Stillinger and Weber's own parameters for silicon, with energies in eV and lengths in Å. */
export const silicon: StillingerWeberEntry = {
  epsilon: 2.1683,
  sigma: 2.0951,
  a: 1.8,
  lambda: 21,
  gamma: 1.2,
  cosTheta0: -1 / 3,
  A: 7.049556277,
  B: 0.6022245584,
  p: 4,
  q: 0,
};

/**
 * A force term of Stillinger–Weber potentials.
 *
 * @throws CorpuscleError MISSING_PAIR (a triplet), UNKNOWN_TYPE, INVALID_VALUE.
 * @example
 * const term = stillingerWeberForce({ types: ['Si'], triplets: [silicon] });
 */
export function stillingerWeberForce({ types, triplets }: StillingerWeberOptions): ForceTerm {
  const all = completeTriplets(types, triplets);
  const n = types.length;
  const pairs = Array.from({ length: n * n }, (_, pair) => all[pair * n + (pair % n)]!);
  checkSymmetry(types, all);
  const of = (list: readonly StillingerWeberEntry[], f: (e: StillingerWeberEntry) => number) =>
    list.map(f);
  const reach = of(pairs, reachOf);
  const params = {
    types: n,
    depth: of(pairs, (e) => e.A * e.epsilon),
    b: of(pairs, (e) => e.B),
    p: of(pairs, (e) => e.p),
    q: of(pairs, (e) => e.q),
    sigma: of(pairs, (e) => e.sigma),
    gammaSigma: of(pairs, (e) => e.gamma * e.sigma),
    cut: of(pairs, (e) => e.a * e.sigma),
    reach,
    strength: of(all, (e) => e.lambda * e.epsilon),
    angle: of(all, (e) => e.cosTheta0),
  };
  return pairForceTerm(stillingerWeber, Math.max(...reach), params);
}

/** Both particles of a pair must see the same energy, and neighbors of a corner have no order. */
function checkSymmetry(types: readonly string[], all: readonly StillingerWeberEntry[]): void {
  const n = types.length;
  const at = (i: number, j: number, k: number) => ({
    entry: all[(i * n + j) * n + k]!,
    name: [i, j, k].map((type) => types[type]).join('-'),
  });
  const require = (
    a: ReturnType<typeof at>,
    b: ReturnType<typeof at>,
    names: readonly (keyof StillingerWeberEntry)[],
  ) => {
    const name = names.find((key) => (a.entry[key] ?? 0) !== (b.entry[key] ?? 0));
    if (!name) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${name} is ${a.entry[name]} for ${a.name} and ${b.entry[name]} for ${b.name} (corner first): give both the same number`,
    );
  };
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      require(at(i, j, j), at(j, i, i), ['epsilon', 'sigma', 'a', 'A', 'B', 'p', 'q', 'tol']);
      for (let k = 0; k < j; k++)
        require(at(i, j, k), at(i, k, j), ['epsilon', 'lambda', 'cosTheta0']);
    }
}

/** As LAMMPS does it: where exp(γσ / (r − aσ)) or exp(σ / (r − aσ)) falls below tol. */
function reachOf({ sigma, a, gamma, tol = 0 }: StillingerWeberEntry): number {
  const cut = sigma * a;
  return tol > 0 ? cut + (Math.min(1, gamma) * sigma) / Math.log(Math.min(tol, 0.01)) : cut;
}

function completeTriplets(
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
    if (!(entry.sigma > 0 && entry.a > 0))
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
