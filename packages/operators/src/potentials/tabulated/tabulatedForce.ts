import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { completePairs, givenPairs, type PairEntry } from '../pair/completePairs.js';
import { type CutoffSwitch, checkWindow } from '../pair/cutoffSwitch.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import type { CutoffShift } from '../pair/pairOutputs.js';
import { checkCutoff } from '../pair/pairRows.js';
import type { PairTableSection } from './parsePairTable.js';
import { resamplePairTable, type TableInterpolation } from './resamplePairTable.js';
import { tabulated } from './tabulated.js';

/** Table and cutoff of one pair of types, or of all pairs when `types` is absent. */
export interface TabulatedPair extends PairEntry {
  readonly table: PairTableSection;
  readonly rcut: number;
  /** Where the window of `switch` begins, within the table. */
  readonly switchFrom?: number;
}

/** Tables of pairs, and how they are interpolated. */
export interface TabulatedForceOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** In simulation units; see `readPairTable`. */
  readonly pairs: readonly TabulatedPair[];
  /** Default 'spline'. */
  readonly interpolation?: TableInterpolation;
  /** Points of the tables in use, equally spaced in r²; default 1000. */
  readonly points?: number;
  /** Default 'none'. */
  readonly shift?: CutoffShift;
  /** A window in which the table is switched off, from `switchFrom` on; default 'none'. */
  readonly switch?: CutoffSwitch;
  /** Pairs that are not given have no forces; default: they are an error. */
  readonly partial?: boolean;
}

/**
 * A force term of tabulated pairs. Whether pairs come closer than their table reaches is found out whenever energies
 * are asked for; in between, the first interval is continued.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE; from its totals INDEX_OUT_OF_RANGE.
 * @example
 * const table = readPairTable('cu.table', 'CU');
 * const term = tabulatedForce({ types: ['Cu'], pairs: [{ table, rcut: 5 }] });
 */
export function tabulatedForce(options: TabulatedForceOptions): ForceTerm {
  const { types, pairs, interpolation = 'spline', points = 1000, partial = false } = options;
  const { shift = 'none', switch: switching = 'none' } = options;
  if (!(Number.isInteger(points) && points >= 2))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `points is ${points}: give a whole number, 2 or more`,
    );
  const complete = partial ? givenPairs(types, pairs) : completePairs(types, pairs);
  const entries = [...new Set(complete.filter((entry) => entry !== undefined))];
  for (const entry of entries) checkTableEnd(entry, options);
  const tables = entries.map(({ table, rcut, switchFrom }) =>
    resamplePairTable(table, rcut, points, interpolation, { shift, switch: switching, switchFrom }),
  );
  const index = complete.map((entry) => (entry ? entries.indexOf(entry) : -1));
  const column = (of: (k: number) => number) => index.map((k) => (k < 0 ? 0 : of(k)));
  const rcut = Math.max(...entries.map((entry) => entry.rcut));
  const joined = (name: 'u' | 'f') => tables.flatMap((table) => [...table[name]]);
  const bent = (name: 'uu' | 'ff') =>
    tables.flatMap((table) => [...table[name]].map((y) => (y * table.spacing ** 2) / 6));
  const params = {
    types: types.length,
    last: points - 2,
    cubic: interpolation === 'spline' ? 1 : 0,
    start: column((k) => k * points),
    rcut2: column((k) => entries[k]!.rcut ** 2),
    inner2: column((k) => tables[k]!.inner2),
    inverse: column((k) => 1 / tables[k]!.spacing),
    u: joined('u'),
    f: joined('f'),
    uu: bent('uu'),
    ff: bent('ff'),
  };
  const term = pairForceTerm(tabulated, rcut, params);
  const firsts = entries.map(({ table }) => table.r[0]!).join(' or ');
  return {
    ...term,
    totals(values) {
      const below = Math.round(values.below!);
      if (below === 0) return term.totals(values);
      throw new CorpuscleError(
        'INDEX_OUT_OF_RANGE',
        `${below} pair${below > 1 ? 's are' : ' is'} closer than the first distance of the table (${firsts}): let the table begin lower, or check time step and start`,
      );
    },
  };
}

/** @throws CorpuscleError INVALID_VALUE for what cannot be done at the cutoff of a table. */
export function checkTableEnd(
  entry: Pick<TabulatedPair, 'rcut' | 'switchFrom'>,
  options: Pick<TabulatedForceOptions, 'shift' | 'switch'>,
): void {
  checkCutoff({ name: 'tabulated' }, entry, options);
  if (entry.switchFrom !== undefined) checkWindow(entry.switchFrom, entry.rcut);
}
