import { defineOperator, dimensions } from '@corpuscle/core';
import { findRunBox } from '../box/RunBox.js';
import { degreesOfFreedom } from '../integrators/degreesOfFreedom.js';
import { physicalTime } from '../integrators/physicalTime.js';
import { everySlots, stepsBetween } from '../run/frameSlots.js';
import { contextOf, gridKey, ledgerKey } from '../run/stateKeys.js';
import { kineticTensor } from '../run/thermo/kineticTensor.js';
import { ThermoSampler } from '../run/thermo/sampleThermo.js';

const output = { direction: 'output' } as const;
const quantity = (dimension: object) => ({ type: 'quantity', dimension, ...output }) as const;

export const measureOperator = defineOperator({
  name: 'measure',
  doc: 'Measures temperature, energies (totals), pressure and volume now, for expressions and conditions. The run waits for them, so say every how many steps.',
  slots: {
    ...everySlots('measurements'),
    measured_temperature: {
      ...quantity(dimensions.temperature),
      doc: 'over 3N − 3 degrees of freedom',
    },
    measured_potential_energy: { ...quantity(dimensions.energy), doc: 'of all particles' },
    measured_kinetic_energy: { ...quantity(dimensions.energy), doc: 'of all particles' },
    measured_total_energy: { ...quantity(dimensions.energy), doc: 'of all particles' },
    measured_pressure: {
      ...quantity(dimensions.pressure),
      doc: 'a third of the trace of the tensor',
    },
    measured_volume: { ...quantity(dimensions.volume), doc: 'of the box' },
    measured_particles: { type: 'integer', ...output, doc: 'how many there are' },
  },
  every: stepsBetween,
  needs: ['energy', 'virial'],
  requires: [gridKey, ledgerKey],
  functors: [kineticTensor],
  prepare: ({ state }) => new ThermoSampler(state.get(gridKey), contextOf(state)),
  async execute({ state, own, set }) {
    const { units } = state.simulation.configuration;
    const grid = state.get(gridKey);
    const volume = await (findRunBox(state)?.presentVolume() ?? grid.domain.volume);
    const row = await own
      .sample({
        step: state.step,
        time: physicalTime(state),
        boltzmann: units.boltzmann,
        degrees: degreesOfFreedom(state),
        totals: state.get(ledgerKey).totals(),
        volume,
      })
      .wait();
    set('measured_temperature', row.temperature);
    set('measured_potential_energy', row.potential_energy);
    set('measured_kinetic_energy', row.kinetic_energy);
    set('measured_total_energy', row.total_energy);
    set('measured_pressure', row.pressure);
    set('measured_volume', volume);
    set('measured_particles', grid.total);
  },
  dispose: ({ own }) => own.close(),
});
