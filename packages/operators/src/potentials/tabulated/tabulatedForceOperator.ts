import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type EntrySpec,
  type SimulationState,
  type SlotSpecs,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { completePairs } from '../pair/completePairs.js';
import { checkPairSlots, typeNames } from '../pair/pairForceOperator.js';
import { cutoffShifts } from '../pair/pairOutputs.js';
import { readPairTable } from './readPairTable.js';
import { tabulated } from './tabulated.js';
import { type TabulatedForceOptions, tabulatedForce } from './tabulatedForce.js';

const entries = {
  file: {
    type: 'file',
    mode: 'read',
    doc: 'file in the format of LAMMPS’s pair_style table, in the units of this file',
  },
  keyword: { type: 'string', doc: 'name of the table in it' },
  rcut: {
    type: 'quantity',
    dimension: dimensions.length,
    above: 0,
    doc: 'cutoff, within the table',
  },
} as const satisfies Record<string, EntrySpec>;
const required = <E>(entry: E) => ({ ...entry, required: true }) as const;

const slots: SlotSpecs = {
  ...entries,
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
      },
    },
    doc: 'a table for each pair of types, instead of file, keyword and rcut',
  },
  interpolation: {
    type: 'enum',
    values: ['linear', 'spline'],
    default: 'spline',
    doc: 'between points equally spaced in r²: energy and force linear, or cubic splines',
  },
  points: { type: 'integer', min: 2, default: 1000, doc: 'number of these points' },
  shift: {
    type: 'enum',
    values: cutoffShifts,
    default: 'none',
    doc: 'energy: u(rcut) = 0; force: also u′(rcut) = 0',
  },
};

interface Entry {
  readonly types?: readonly [string, string];
  readonly file: string;
  readonly keyword: string;
  readonly rcut: number;
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
      completePairs(typeNames(context), entriesOf(context.slots));
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      context.fail('pairs', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots, state),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own }) => addForces(state, own),
});

function entriesOf(slots: Slots): readonly Entry[] {
  const { file, keyword, rcut, pairs } = slots;
  return (pairs ?? [{ file, keyword, rcut }]) as readonly Entry[];
}

function makeTerm(slots: Slots, { simulation }: Pick<SimulationState, 'simulation'>): ForceTerm {
  const { units } = simulation.configuration;
  const factors = {
    length: units.toInternal(1, dimensions.length),
    energy: units.toInternal(1, dimensions.energy),
  };
  const pairs = entriesOf(slots).map(({ types, file, keyword, rcut }) => ({
    ...(types ? { types } : {}),
    rcut,
    table: readPairTable(file, keyword, factors),
  }));
  const { interpolation, points, shift } = slots as unknown as TabulatedForceOptions;
  return tabulatedForce({ types: typeNames(simulation), pairs, interpolation, points, shift });
}
