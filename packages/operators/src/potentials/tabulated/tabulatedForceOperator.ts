import {
  CorpuscleError,
  defineOperator,
  type SimulationState,
  type SlotSpecs,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { completePairs } from '../pair/completePairs.js';
import { checkPairSlots, pairEntry, typeNames } from '../pair/pairForceOperator.js';
import { readPairTable } from './readPairTable.js';
import { interpolationEntries, tableEntries, tableFactors, windowEntry } from './tableSlots.js';
import { tabulated } from './tabulated.js';
import { checkTableEnd, type TabulatedForceOptions, tabulatedForce } from './tabulatedForce.js';

const entries = tableEntries;
const required = <E>(entry: E) => ({ ...entry, required: true }) as const;

const slots: SlotSpecs = {
  ...entries,
  ...windowEntry,
  pairs: {
    type: 'list',
    minLength: 1,
    of: {
      type: 'map',
      entries: {
        types: {
          type: 'list',
          of: { type: 'particle_type' },
          length: 2,
          required: true,
          doc: 'the two types',
        },
        file: required(entries.file),
        keyword: required(entries.keyword),
        rcut: required(entries.rcut),
        ...windowEntry,
      },
    },
    doc: 'a table for each pair of types, instead of file, keyword and rcut',
  },
  ...interpolationEntries,
};

interface Entry {
  readonly types?: readonly [string, string];
  readonly file: string;
  readonly keyword: string;
  readonly rcut: number;
  readonly switchFrom?: number;
}
type Slots = Readonly<Record<string, unknown>>;

export const tabulatedForceOperator = defineOperator({
  name: 'tabulated_force',
  doc: 'Adds the forces of a pair potential that is given by tables of energy and force over distance.',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [tabulated],
  validate(context) {
    checkPairSlots('tabulated_force', Object.keys(entries), context);
    try {
      const given = entriesOf(context.slots);
      completePairs(typeNames(context), given);
      for (const entry of given)
        checkTableEnd(entry, context.slots as unknown as TabulatedForceOptions);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      context.fail('pairs', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots, state),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});

function entriesOf(slots: Slots): readonly Entry[] {
  const { file, keyword, rcut, switch_from, pairs } = slots;
  const given = (pairs ?? [{ file, keyword, rcut, switch_from }]) as readonly Slots[];
  return given.map(pairEntry) as unknown as readonly Entry[];
}

function makeTerm(slots: Slots, { simulation }: Pick<SimulationState, 'simulation'>): ForceTerm {
  const { units } = simulation.configuration;
  const factors = tableFactors(units);
  const pairs = entriesOf(slots).map(({ file, keyword, ...pair }) => ({
    ...pair,
    table: readPairTable(file, keyword, factors),
  }));
  const options = slots as unknown as TabulatedForceOptions;
  return tabulatedForce({ ...options, types: typeNames(simulation), pairs });
}
