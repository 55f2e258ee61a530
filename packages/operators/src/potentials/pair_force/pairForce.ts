import { CorpuscleError, type UnitSystem } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { lennardJonesRadial } from '../lennard_jones/lennardJonesRadial.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import type { Mixing } from '../pair/mixing.js';
import { checkEntry, pairRow, windowOf } from '../pair/pairRows.js';
import { radialFunctor } from '../pair/radialFunctor.js';
import type { RadialFunctor, RadialLayer } from '../pair/radialLayer.js';
import type { RadialRow } from '../pair/radialParameters.js';
import { type LayerRows, radialTerm } from '../pair/radialTerm.js';
import { pairPotentials } from '../pairPotentials.js';
import { coverPairs } from './coverPairs.js';
import { type PairUse, type Potentials, potentialOf } from './PairUse.js';

/** Potentials of pairs of types. */
export interface PairForceOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** Potentials of the same pair add up. */
  readonly pairs: readonly PairUse[];
  /** How unlike pairs that are not given follow from the like ones; default 'none': a missing pair is an error. */
  readonly mixing?: Mixing;
  /** Where constants of nature come from; default reduced units. */
  readonly units?: UnitSystem;
  /** Potentials of your own beside those there are. */
  readonly potentials?: readonly AnyPairPotential[];
}

/**
 * A force term of any potentials for any pairs of types, several for the same pair too: one kernel for all of them.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
 * @example
 * const term = pairForce({
 *   types: ['A', 'B'],
 *   pairs: [
 *     { use: 'lennard_jones', epsilon: 1, sigma: 1, rcut: 2.5 },
 *     { types: ['A', 'B'], use: 'gauss', A: 0.5, B: 2, rcut: 2 },
 *   ],
 * });
 */
export function pairForce(options: PairForceOptions): ForceTerm {
  const term = radialForce(options, new Set());
  if (term) return term;
  throw new CorpuscleError(
    'INVALID_VALUE',
    'no pair of types has a potential: give one, or remove pair_force',
  );
}

/**
 * The term of potentials that are functions of the distance; null where there are none.
 *
 * @param elsewhere names that entries use, and that other terms compute
 * @throws as pairForce
 */
export function radialForce(
  options: PairForceOptions,
  elsewhere: ReadonlySet<string>,
): ForceTerm | null {
  const { types, pairs, mixing = 'none', units, potentials = [] } = options;
  const known = potentialsByName(potentials);
  for (const pair of pairs) if (!elsewhere.has(pair.use)) checkUse(pair, known);
  const layers = new Map<string, { layer: RadialLayer; rows: (RadialRow | null)[] }>();
  const rows = new Map<PairUse, RadialRow>();
  coverPairs(types, pairs, mixing, known).forEach((uses, pair) => {
    const counts = new Map<string, number>();
    for (const use of uses) {
      if (elsewhere.has(use.use)) continue;
      const potential = potentialOf(known, use.use);
      const switching = windowOf(potential, use);
      const kind = `${use.use} ${switching}`;
      const key = `${kind} ${counts.get(kind) ?? 0}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      let layer = layers.get(key);
      if (!layer) {
        const none = new Array<RadialRow | null>(types.length ** 2).fill(null);
        layer = { layer: { form: potential.form, switching }, rows: none };
        layers.set(key, layer);
      }
      const row = rows.get(use) ?? rowOf(potential, use, units);
      rows.set(use, row);
      layer.rows[pair] = row;
    }
  });
  const all = [...layers.values()];
  if (all.length === 0) return null;
  return radialTerm(functorOf([...layers.keys()].join(), all), types.length, all);
}

/** The potentials that pairs can use, by name. */
export const potentialsByName = (own: readonly AnyPairPotential[] = []): Potentials =>
  new Map([lennardJonesRadial, ...pairPotentials, ...own].map((p) => [p.name, p]));

function checkUse(use: PairUse, known: Potentials): void {
  if (use.use === 'none') return;
  checkEntry(potentialOf(known, use.use), use, treatmentOf(use));
}

const treatmentOf = ({ shift, switch: window }: PairUse) => ({
  ...(shift ? { shift } : {}),
  ...(window ? { switch: window } : {}),
});

const rowOf = (
  potential: AnyPairPotential,
  use: PairUse,
  units: UnitSystem | undefined,
): RadialRow => pairRow(potential, use, { ...treatmentOf(use), ...(units ? { units } : {}) });

/** Functors of the last combinations: an operator asks for its own when it is checked, and when it runs. */
const functors = new Map<
  string,
  { readonly layers: LayerRows[]; readonly functor: RadialFunctor }
>();

function functorOf(key: string, layers: LayerRows[]): RadialFunctor {
  const present = functors.get(key);
  const isSame = present?.layers.every(({ layer }, n) => layer.form === layers[n]!.layer.form);
  if (present && isSame) return present.functor;
  const functor = radialFunctor(
    'pair_force',
    layers.map(({ layer }) => layer),
  );
  functors.set(key, { layers, functor });
  return functor;
}
