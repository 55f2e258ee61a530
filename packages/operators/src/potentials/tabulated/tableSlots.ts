import { dimensions, type EntrySpec, type UnitSystem } from '@corpuscle/core';
import { coefficientEntries, cutoffEntries } from '../pair/pairForceSlots.js';
import { cutoffShifts } from '../pair/pairOutputs.js';

/** What names a table. */
export const tableEntries = {
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

/** Where a window begins. */
export const windowEntry = coefficientEntries({}, { ownCutoff: true, switching: 'none' }, false);

/** How tables are used. */
export const interpolationEntries = {
  interpolation: {
    type: 'enum',
    values: ['linear', 'spline'],
    default: 'spline',
    doc: 'between points equally spaced in r²: energy and force linear, or cubic splines',
  },
  points: { type: 'integer', min: 2, max: 1_000_000, default: 1000, doc: 'number of these points' },
  ...cutoffEntries({ shifts: cutoffShifts, switching: 'none' }),
} as const satisfies Record<string, EntrySpec>;

/** What numbers of a table are multiplied by. */
export const tableFactors = (units: UnitSystem) => ({
  length: units.toInternal(1, dimensions.length),
  energy: units.toInternal(1, dimensions.energy),
});
