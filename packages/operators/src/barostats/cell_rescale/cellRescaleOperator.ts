import { defineOperator, dimensions, gaussian, randomStream } from '@corpuscle/core';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { temperatureSlot } from '../../thermostats/temperature.js';
import { BoxControl } from '../BoxControl.js';
import { barostatSlots, liquidCompressibility } from '../barostatSlots.js';
import { kineticDiagonal } from '../PressureMeter.js';
import { rampedAt } from '../ramp.js';
import { cellRescale } from './cellRescale.js';

const STREAM = randomStream('cell_rescale');

export const cellRescaleOperator = defineOperator({
  name: 'cell_rescale',
  doc: 'Stochastic cell rescaling (Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020)), at the end of a step: the volume has the fluctuations of constant pressure. It needs a thermostat of the same temperature.',
  slots: {
    ...barostatSlots,
    temperature: {
      ...temperatureSlot,
      doc: 'temperature of the bath, that of the thermostat, or [first, last] for a ramp',
    },
    tau: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'relaxation time of the volume',
    },
    seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
  },
  requires: [gridKey, ledgerKey],
  every: ({ every }) => every ?? 1,
  needs: ['virial_diagonal'],
  functors: [kineticDiagonal, scaleVelocity],
  prepare: ({ state }) =>
    new BoxControl(state, cellRescale, {
      name: 'cell_rescale',
      slower: 'tau',
      scalesVelocities: true,
      coupling: 'iso',
    }),
  calls: () => null,
  execute({ slots, state, own }) {
    const { tau, dt, every } = slots;
    const { boltzmann } = state.simulation.configuration.units;
    const { total: count } = state.get(gridKey);
    const { volume } = own;
    const kT = boltzmann * rampedAt(slots.temperature, state);
    own.compressibility ??= slots.compressibility ?? liquidCompressibility(volume, count, kT);
    const params = {
      volume,
      target: rampedAt(slots.pressure, state),
      kT,
      rate: (own.compressibility * every * dt) / (2 * tau),
      missing: 3 * count - degreesOfFreedom(state),
      noise: gaussian(slots.seed ?? state.simulation.configuration.seed, STREAM, state.step),
    };
    return own.act(params);
  },
  finish: ({ own }) => own.finish(),
  save: ({ own }) => own.save(),
  restore: ({ own }, saved) => own.restore(saved),
  dispose: ({ own }) => own.close(),
});
