import {
  CorpuscleError,
  defineOperator,
  dimensions,
  gaussian,
  randomStream,
} from '@corpuscle/core';
import { remapPositions } from '../../box/setBox.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { kineticTensor } from '../../run/thermo/kineticTensor.js';
import { temperatureSlot } from '../../thermostats/temperature.js';
import { barostatSlots, type Kept, liquidCompressibility } from '../barostatSlots.js';
import { PressureMeter } from '../PressureMeter.js';
import { rampedAt } from '../ramp.js';
import { rescaleBox } from '../rescaleBox.js';
import { nextVolume } from './cellRescale.js';

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
  needs: ['virial'],
  functors: [kineticTensor, remapPositions, scaleVelocity],
  prepare: ({ state }) => ({
    meter: new PressureMeter(state),
    kept: { compressibility: null } as Kept,
  }),
  async execute({ slots, state, own }) {
    const { tau, dt, every } = slots;
    const target = rampedAt(slots.pressure, state);
    const { boltzmann } = state.simulation.configuration.units;
    const { count, domain } = state.get(gridKey);
    const { volume } = domain;
    const kT = boltzmann * rampedAt(slots.temperature, state);
    const { diagonal } = await own.meter.pressure();
    own.kept.compressibility ??= slots.compressibility ?? liquidCompressibility(volume, count, kT);
    const next = nextVolume({
      volume,
      pressure: (diagonal[0] + diagonal[1] + diagonal[2]) / 3,
      target,
      kT,
      compressibility: own.kept.compressibility,
      tau,
      time: every * dt,
      missing: 3 * count - degreesOfFreedom(state),
      noise: gaussian(slots.seed ?? state.simulation.configuration.seed, STREAM, state.step),
    });
    const mu = Math.cbrt(next / volume);
    if (!(mu > 0.8 && mu < 1.25))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `cell_rescale would change lengths by a factor of ${mu.toPrecision(3)} in step ${state.step}: raise tau, or equilibrate the pressure first`,
      );
    rescaleBox(state, [mu, mu, mu], 1 / mu);
  },
  save: ({ own }) => own.kept,
  restore: ({ own }, saved) => {
    own.kept.compressibility = saved.compressibility;
  },
  dispose: ({ own }) => own.meter.close(),
});
