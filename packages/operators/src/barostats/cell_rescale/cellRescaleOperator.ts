import {
  defineOperator,
  dimensions,
  randomStream,
  type SimulationState,
  type SlotSpecs,
  type SlotValues,
} from '@corpuscle/core';
import { checkCoupling, movedBy } from '../../box/coupling.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { temperatureSlot } from '../../thermostats/temperature.js';
import { BoxControl } from '../BoxControl.js';
import { barostatSlots, liquidCompressibility } from '../barostatSlots.js';
import { boxOperator } from '../boxOperator.js';
import { kineticDiagonal } from '../PressureMeter.js';
import { ends } from '../pressures.js';
import { rampedAt, rampStepsOf } from '../ramp.js';
import { cellRescale } from './cellRescale.js';

const STREAM = randomStream('cell_rescale');

const slots = {
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
} as const satisfies SlotSpecs;

/**
 * The operator `cell_rescale`. It is no phase of `defineIntegrator`: phases compute with values of their
 * integrator, and this takes the virial of the forces and sets the box, which other operators share.
 */
export const cellRescaleOperator = defineOperator({
  name: 'cell_rescale',
  doc: 'Stochastic cell rescaling, a barostat (Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020)), at the end of a step: the volume has the fluctuations of constant pressure. It needs a thermostat of the same temperature.',
  slots,
  requires: [gridKey, ledgerKey],
  needsEvenSteps: () => 'cell_rescale',
  keepsNoAccount: 'cell_rescale',
  movesBox: () => movedBy('iso'),
  checkBox: (_, domain) => checkCoupling(domain, 'iso', 'cell_rescale'),
  functors: [kineticDiagonal, scaleVelocity],
  prepare: ({ slots, state }) =>
    new BoxControl(state, cellRescale, {
      name: 'cell_rescale',
      every: slots.every,
      slower: 'tau',
      scalesVelocities: true,
      coupling: 'iso',
      compressibility: ({ volume }) =>
        slots.compressibility ??
        liquidCompressibility(
          volume,
          state.get(gridKey).total,
          state.simulation.configuration.units.boltzmann * rampedAt(slots.temperature, state),
        ),
      params: (compressibility, volume) => paramsOf(slots, state, compressibility, volume),
    }),
  ...boxOperator,
});

function paramsOf(
  { tau, dt, every, temperature, pressure, ...given }: SlotValues<typeof slots>,
  state: SimulationState,
  compressibility: number,
  volume: number,
) {
  const { units, seed: common } = state.simulation.configuration;
  const { seed = common } = given;
  const [first, last] = ends(temperature);
  const [pressure0, pressure1] = ends(pressure);
  return {
    volume,
    rate: (compressibility * every * dt) / (2 * tau),
    missing: 3 * state.get(gridKey).total - degreesOfFreedom(state),
    by: every,
    kT0: units.boltzmann * first,
    kT1: units.boltzmann * last,
    ...{ pressure0, pressure1, ...rampStepsOf(state) },
    ...{ stream: STREAM, seed: seed >>> 0, seedHigh: Math.floor(seed / 2 ** 32) },
  };
}
