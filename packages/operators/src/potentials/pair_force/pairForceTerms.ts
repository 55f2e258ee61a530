import { CorpuscleError, type LoadContext, randomStream } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { type DpdPair, type DpdTerm, dpdForce } from '../dpd/dpdForce.js';
import { givenPairs, type PairEntry } from '../pair/completePairs.js';
import type { CutoffSwitch } from '../pair/cutoffSwitch.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import type { Mixing } from '../pair/mixing.js';
import { pairEntry, typeNames } from '../pair/pairForceOperator.js';
import { readPairTable } from '../tabulated/readPairTable.js';
import { tableFactors } from '../tabulated/tableSlots.js';
import {
  checkTableEnd,
  type TabulatedForceOptions,
  type TabulatedPair,
  tabulatedForce,
} from '../tabulated/tabulatedForce.js';
import type { PairUse } from './PairUse.js';
import { radialForce } from './pairForce.js';

/** Names of entries that have kernels of their own. */
const TABLE = 'tabulated';
const DPD = 'dpd';
const elsewhere: ReadonlySet<string> = new Set([TABLE, DPD]);

type Load = Pick<LoadContext, 'particleTypes' | 'configuration'>;
type Slots = Readonly<Record<string, unknown>>;

/** What one `pair_force` computes: a term for all functions of the distance, and one for each kind of table and of DPD. */
export interface PairForceTerms {
  readonly terms: readonly ForceTerm[];
  /** Those of DPD, which count their evaluations. */
  readonly dpd: readonly DpdTerm[];
}

/** An entry of `pairs` as slots give it. */
type Entry = Slots & PairEntry & { readonly use: string; readonly rcut?: number };

const entriesOf = (slots: Slots, name?: string): Entry[] =>
  (slots.pairs as readonly Entry[]).filter(({ use }) => name === undefined || use === name);

/** Whether dissipative particles are among the pairs. */
export const hasDpd = (slots: Slots): boolean =>
  slots.pairs !== undefined && entriesOf(slots, DPD).length > 0;

/** Makes the terms, and reads tables. @throws CorpuscleError as pairForce, tabulatedForce and dpdForce. */
export function pairForceTerms(
  slots: Slots,
  load: Load,
  own: readonly AnyPairPotential[],
): PairForceTerms {
  const radial = checkPairForce(slots, load, own);
  const dpd = dpdOf(slots, load);
  const terms = [...(radial ? [radial] : []), ...tablesOf(slots, load), ...dpd];
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
  for (const entry of entriesOf(slots, TABLE))
    checkTableEnd(
      pairEntry(entry) as unknown as TabulatedPair,
      entry as unknown as TabulatedForceOptions,
    );
  // A pair that is given twice would draw the same noise twice.
  givenPairs(typeNames(load), entriesOf(slots, DPD));
  dpdOf(slots, load);
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

/** Entries of a name that agree in what `key` says of them, as entries of options. */
function kindsOf(slots: Slots, name: string, key: (entry: Entry) => unknown[]): Entry[][] {
  const kinds = new Map<string, Entry[]>();
  for (const entry of entriesOf(slots, name)) {
    const kind = key(entry).join(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), pairEntry(entry) as Entry]);
  }
  return [...kinds.values()];
}

/** Tables that are interpolated and end in the same way are one term. */
function tablesOf(slots: Slots, load: Load): ForceTerm[] {
  const factors = tableFactors(load.configuration.units);
  const kinds = kindsOf(slots, TABLE, ({ interpolation, points, shift, switch: window }) => [
    interpolation,
    points,
    shift,
    window,
  ]);
  return kinds.map((entries) => {
    const options = entries[0] as unknown as TabulatedForceOptions;
    const { interpolation, points, shift, switch: window } = options;
    const pairs = entries.map(({ file, keyword, ...pair }) => ({
      ...(pair as Omit<TabulatedPair, 'table'>),
      table: readPairTable(file as string, keyword as string, factors),
    }));
    return tabulatedForce({
      types: typeNames(load),
      pairs,
      interpolation,
      points,
      shift,
      switch: window,
      partial: true,
    });
  });
}

/** DPD with the same window is one term. Pairs are of one term each, so that all may draw from one stream. */
function dpdOf(slots: Slots, { configuration, ...load }: Load): DpdTerm[] {
  return kindsOf(slots, DPD, ({ switch: window }) => [window]).map((entries) =>
    dpdForce({
      types: typeNames(load),
      pairs: entries as unknown as readonly DpdPair[],
      kT: configuration.units.boltzmann * (slots.temperature as number),
      dt: slots.dt as number,
      seed: (slots.seed as number | undefined) ?? configuration.seed,
      stream: randomStream('dpd_force'),
      switch: entries[0]!.switch as CutoffSwitch,
      partial: true,
    }),
  );
}
