import { defineOperator, dimensions } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { knownTime } from '../../integrators/physicalTime.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { crossFaces, crossingOf, noteCrossings } from '../crossFaces.js';
import { mapVelocities, sllodMap } from '../followVelocities.js';
import { newBox } from '../newBox.js';
import { settledBox } from '../RunBox.js';
import { remapPositions } from '../setBox.js';
import { rateEntries, strainEntries } from '../strainSlots.js';
import { DeformRun } from './DeformRun.js';

export const deformOperator = defineOperator({
  name: 'deform',
  doc: 'Deforms the box as a function of time; put it at the end of the scheme. Lengths change about the center of the box, shears about its origin, as LAMMPS fix deform does.',
  slots: {
    rate: {
      type: 'map',
      entries: rateEntries,
      doc: 'engineering strain rates: a length is L0 (1 + rate t), a tilt xy0 + rate t · Ly0',
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
    remap: {
      type: 'enum',
      values: ['positions', 'velocities', 'none'],
      default: 'positions',
      doc: 'positions: particles follow the box; velocities: they stay, and one that crosses a face takes on the velocity between opposite faces, so that walls of images drive the flow; none: they stay where they are',
    },
    sllod: {
      type: 'boolean',
      default: false,
      doc: 'velocities are relative to the flow of the box and follow the SLLOD equations; with remap: positions',
    },
    flip: {
      type: 'boolean',
      default: true,
      doc: 'exchange lattice vectors for less tilted ones of the same lattice where a tilt passes 0.6 of a length',
    },
  },
  requires: [gridKey],
  functors: [remapPositions, mapVelocities, crossFaces],
  validate({ slots, fail }) {
    const { rate, true_rate, strain, wiggle } = slots;
    if (!rate && !true_rate && !strain && !wiggle)
      fail('', 'MISSING_VALUE', 'deform needs one of rate, true_rate, strain and wiggle');
    if (slots.sllod && slots.remap !== 'positions')
      fail('sllod', 'INVALID_VALUE', 'sllod needs particles that follow the box: leave remap out');
  },
  prepare({ slots, state }) {
    const grid = state.get(gridKey);
    if (slots.remap === 'velocities') noteCrossings(grid, contextOf(state));
    return new DeformRun(grid.domain, state.step, state.time);
  },
  save: ({ own }) => own.save(),
  restore: ({ own, state }, saved) => own.restore(saved, state.get(gridKey).domain),
  async execute({ slots, state, own }) {
    await settledBox(state);
    const { true_rate: trueRate, remap, sllod, ...options } = slots;
    const grid = state.get(gridKey);
    const before = grid.domain;
    const endStep = state.find(planKey)?.endStep ?? state.step;
    const { step } = state;
    const time = knownTime(state, 'deform');
    if (remap === 'velocities') {
      const dt = state.find(planKey)?.dt ?? 0;
      const rate = own.boxRate({ ...options, trueRate }, { dt, endStep });
      computeCellParticles(grid, crossFaces, contextOf(state), {
        params: crossingOf(before, rate),
      });
    }
    const { box, flipped } = own.boxAt({ ...options, trueRate }, { step, time, endStep });
    newBox(state, box, remap === 'positions' ? 'positions' : 'none');
    if (sllod)
      computeCellParticles(grid, mapVelocities, contextOf(state), {
        params: sllodMap(before, box),
      });
    if (flipped !== box) newBox(state, flipped, 'none');
  },
});
