import { CorpuscleError, type LoadContext, randomStream } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { type DpdPair, type DpdTerm, dpdForce } from '../dpd/dpdForce.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import type { Mixing } from '../pair/mixing.js';
import { pairEntry, typeNames } from '../pair/pairForceOperator.js';
import { readPairTable } from '../tabulated/readPairTable.js';
import { tableFactors } from '../tabulated/tableSlots.js';
import { type TabulatedForceOptions, tabulatedForce } from '../tabulated/tabulatedForce.js';
import type { PairUse } from './PairUse.js';
import { radialForce } from './pairForce.js';

/** Names of entries that have kernels of their own. */
const TABLE = 'tabulated';
const DPD = 'dpd';
const elsewhere: ReadonlySet<string> = new Set([TABLE, DPD]);

type Load = Pick<LoadContext, 'particleTypes' | 'configuration'>;
type Slots = Readonly<Record<string, unknown>>;

/** What one `pair_force` computes: a term for all functions of the distance, one for each kind of table, and one for DPD. */
export interface PairForceTerms {
  readonly terms: readonly ForceTerm[];
  /** Counts its evaluations; null without dpd. */
  readonly dpd: DpdTerm | null;
}

/** An entry of `pairs` as slots give it. */
type Entry = Slots & { readonly use: string; readonly rcut?: number };

const entriesOf = (slots: Slots, name?: string): Entry[] =>
  (slots.pairs as readonly Entry[]).filter(({ use }) => name === undefined || use === name);

/** Makes the terms, and reads tables. @throws CorpuscleError as pairForce, tabulatedForce and dpdForce. */
export function pairForceTerms(
  slots: Slots,
  load: Load,
  own: readonly AnyPairPotential[],
): PairForceTerms {
  const radial = checkPairForce(slots, load, own);
  const dpd = dpdOf(slots, load);
  const terms = [...(radial ? [radial] : []), ...tablesOf(slots, load), ...(dpd ? [dpd] : [])];
  return { terms, dpd };
}

/**
 * Checks what can be checked without files.
 * @returns the term of functions of the distance, if there are any.
 */
export function checkPairForce(
  slots: Slots,
  load: Load,
  own: readonly AnyPairPotential[],
): ForceTerm | null {
  const radial = radialForce(
    {
      types: typeNames(load),
      pairs: entriesOf(slots).map((pair) => pairEntry(pair) as PairUse),
      mixing: slots.mixing as Mixing,
      units: load.configuration.units,
      potentials: own,
    },
    elsewhere,
  );
  if (entriesOf(slots).every(({ use }) => use === 'none'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'no pair of types has a potential: give one, or remove pair_force',
    );
  for (const name of ['temperature', 'dt'])
    if (entriesOf(slots, DPD).length > 0 && slots[name] === undefined)
      throw new CorpuscleError(
        'MISSING_VALUE',
        `dpd needs ${name}: give it to pair_force, beside pairs`,
      );
  return radial;
}

/** How far the terms reach. */
export function reachOfPairForce(
  slots: Slots,
  load: Load,
  own: readonly AnyPairPotential[],
): number {
  const others = entriesOf(slots).filter(({ use }) => elsewhere.has(use));
  return Math.max(
    checkPairForce(slots, load, own)?.rcut ?? 0,
    ...others.map(({ rcut }) => rcut ?? 0),
  );
}

/** Tables that are interpolated in the same way are one term. */
function tablesOf(slots: Slots, load: Load): ForceTerm[] {
  const kinds = new Map<string, Entry[]>();
  for (const entry of entriesOf(slots, TABLE)) {
    const { interpolation, points, shift } = entry;
    const key = `${interpolation} ${points} ${shift}`;
    kinds.set(key, [...(kinds.get(key) ?? []), entry]);
  }
  const factors = tableFactors(load.configuration.units);
  return [...kinds.values()].map((entries) => {
    const { interpolation, points, shift } = entries[0] as unknown as TabulatedForceOptions;
    const pairs = entries.map(({ types, file, keyword, rcut }) => ({
      ...(types ? { types: types as readonly [string, string] } : {}),
      rcut: rcut!,
      table: readPairTable(file as string, keyword as string, factors),
    }));
    return tabulatedForce({
      types: typeNames(load),
      pairs,
      interpolation,
      points,
      shift,
      partial: true,
    });
  });
}

function dpdOf(slots: Slots, load: Load): DpdTerm | null {
  const pairs = entriesOf(slots, DPD) as unknown as readonly DpdPair[];
  if (pairs.length === 0) return null;
  const { configuration } = load;
  return dpdForce({
    types: typeNames(load),
    pairs,
    kT: configuration.units.boltzmann * (slots.temperature as number),
    dt: slots.dt as number,
    seed: (slots.seed as number | undefined) ?? configuration.seed,
    stream: randomStream('dpd_force'),
    partial: true,
  });
}
