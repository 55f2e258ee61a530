import type { ForceTerm } from '../../forces/ForceTerm.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import { completeTriplets } from './completeTriplets.js';
import { stillingerWeber } from './stillingerWeber.js';
import { stillingerWeberShares } from './stillingerWeberShares.js';
import { symmetricTriplets } from './symmetricTriplets.js';

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
  /**
   * One entry for each ordered triplet; its pair parameters come from those with two equal neighbors, i j j. Of the others
   * only λ ε and cos θ₀ are used, so that the rest may be 0.
   */
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
  const { depth, strength } = symmetricTriplets(types, all);
  const of = (list: readonly StillingerWeberEntry[], f: (e: StillingerWeberEntry) => number) =>
    list.map(f);
  const reach = of(pairs, reachOf);
  const params = {
    types: n,
    depth,
    b: of(pairs, (e) => e.B),
    p: of(pairs, (e) => e.p),
    q: of(pairs, (e) => e.q),
    sigma: of(pairs, (e) => e.sigma),
    gammaSigma: of(pairs, (e) => e.gamma * e.sigma),
    cut: of(pairs, (e) => e.a * e.sigma),
    reach,
    strength,
    angle: of(all, (e) => e.cosTheta0),
  };
  return pairForceTerm(stillingerWeber, Math.max(...reach), params, {
    shares: stillingerWeberShares,
  });
}

/** As LAMMPS does it: where exp(γσ / (r − aσ)) or exp(σ / (r − aσ)) falls below tol. */
function reachOf({ sigma, a, gamma, tol = 0 }: StillingerWeberEntry): number {
  const cut = sigma * a;
  return tol > 0 ? cut + (Math.min(1, gamma) * sigma) / Math.log(Math.min(tol, 0.01)) : cut;
}
