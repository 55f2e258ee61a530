import { defineOperator, dimensions } from '@corpuscle/core';
import { gridKey } from '../../run/stateKeys.js';
import { crossFaces } from '../crossFaces.js';
import { followFlow } from '../followFlow.js';
import { remapPositions } from '../setBox.js';
import { rateEntries, strainEntries } from '../strainSlots.js';
import { Deformation } from './Deformation.js';
import { type DeformOptions, deformedParts } from './DeformRun.js';
import { wrongTimes } from './strainTable.js';

export const deformOperator = defineOperator({
  name: 'deform',
  doc: 'Deforms the box as a function of time; put it at the end of the scheme, and with sllod into after_drift. Lengths change about the center of the box, shears about its origin. In boxes along x, y and z, or with tilts: stay, it is fix deform of LAMMPS.',
  slots: {
    rate: {
      type: 'map',
      entries: rateEntries,
      doc: 'engineering strain rates: a length is L0 (1 + rate t), and of a box along x, y and z the tilt xy is rate t · Ly0',
    },
    true_rate: {
      type: 'map',
      entries: rateEntries,
      doc: 'true strain rates: a length is L0 exp(rate t); shears as in rate',
    },
    strain: {
      type: 'map',
      entries: strainEntries,
      doc: 'strains that are reached at the end of the run, linearly in the steps',
    },
    wiggle: {
      type: 'map',
      entries: {
        amplitude: { type: 'map', entries: strainEntries, required: true, doc: 'largest strains' },
        period: {
          type: 'quantity',
          dimension: dimensions.time,
          above: 0,
          required: true,
          doc: 'duration of a swing',
        },
      },
      doc: 'strains that swing: amplitude · sin(2π t / period)',
    },
    table: {
      type: 'list',
      minLength: 1,
      of: {
        type: 'map',
        entries: {
          time: {
            type: 'quantity',
            dimension: dimensions.time,
            min: 0,
            required: true,
            doc: 'after the beginning',
          },
          ...strainEntries,
        },
      },
      doc: 'strains at times, linear between them: [{ time: 0 }, { time: 1, xx: 0.02 }]; before the first time and after the last they stay',
    },
    remap: {
      type: 'enum',
      values: ['positions', 'velocities', 'none'],
      default: 'positions',
      doc: 'positions: particles follow the box; velocities: they stay, and one that crosses a face takes on the velocity between opposite faces, so that walls of images drive the flow; none: they stay where they are',
    },
    sllod: {
      type: 'boolean',
      default: false,
      doc: 'velocities are relative to the flow of the box and follow the SLLOD equations, with remap: positions. In after_drift to second order in dt, at the end of the scheme to first',
    },
    tilts: {
      type: 'enum',
      values: ['follow', 'stay'],
      default: 'follow',
      doc: 'of a box that leans before. follow: strains are of all lattice vectors, so that a length takes their tilts along; stay: lengths and tilts change each for itself, as in LAMMPS',
    },
    flip: {
      type: 'boolean',
      default: true,
      doc: 'exchange lattice vectors for less tilted ones of the same lattice where a tilt passes 0.6 of a length',
    },
  },
  requires: [gridKey],
  needsEvenSteps: () => 'deform',
  movesBox: ({ true_rate: trueRate, ...options }) =>
    deformedParts({ trueRate, ...options } as DeformOptions),
  changesVelocities: ({ remap, sllod }) => remap === 'velocities' || sllod === true,
  functors: [remapPositions, followFlow, crossFaces],
  validate({ slots, fail }) {
    const { rate, true_rate, strain, wiggle, table } = slots;
    if (!rate && !true_rate && !strain && !wiggle && !table)
      fail('', 'MISSING_VALUE', 'deform needs one of rate, true_rate, strain, wiggle and table');
    const wrong = table && wrongTimes(table);
    if (wrong) fail('table', 'INVALID_VALUE', wrong);
    if (slots.sllod && slots.remap !== 'positions')
      fail('sllod', 'INVALID_VALUE', 'sllod needs particles that follow the box: leave remap out');
  },
  prepare({ slots, state }) {
    const { true_rate: trueRate, remap, sllod, ...options } = slots;
    return new Deformation(state, { ...options, trueRate }, { remap, sllod });
  },
  calls: ({ own }) => own.calls(),
  doesMore: ({ own }) => own.doesMore,
  execute: ({ own }) => own.execute(),
  save: ({ own }) => own.save(),
  restore: ({ own }, saved) => own.restore(saved),
  dispose: ({ own }) => own.close(),
});
