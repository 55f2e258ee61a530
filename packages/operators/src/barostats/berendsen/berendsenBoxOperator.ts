import { defineOperator, dimensions, type SlotSpecs } from '@corpuscle/core';
import { remapPositions } from '../../box/setBox.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { kineticTensor } from '../../run/thermo/kineticTensor.js';
import { barostatSlots, type Kept, liquidCompressibility } from '../barostatSlots.js';
import { PressureMeter } from '../PressureMeter.js';
import { rampedAt } from '../ramp.js';
import { rescaleBox } from '../rescaleBox.js';

/** What it takes beside the slots of all barostats. */
export const boxSlots = {
  tau_pressure: {
    type: 'quantity',
    dimension: dimensions.time,
    above: 0,
    required: true,
    doc: 'relaxation time',
  },
  coupling: {
    type: 'enum',
    values: ['iso', 'aniso'],
    default: 'iso',
    doc: 'iso: the box only scales; aniso: each length follows its own pressure',
  },
} as const satisfies SlotSpecs;

export const berendsenBoxOperator = defineOperator({
  name: 'berendsen_box',
  doc: 'Weak coupling to a pressure (Berendsen et al., J. Chem. Phys. 81, 3684 (1984)), at the end of a step: volumes change by dt β (P − P0) / tau_pressure. Fluctuations are not those of an ensemble: use it to equilibrate.',
  slots: {
    ...barostatSlots,
    ...boxSlots,
  },
  requires: [gridKey, ledgerKey],
  every: ({ every }) => every ?? 1,
  needs: ['virial'],
  functors: [kineticTensor, remapPositions],
  prepare: ({ state }) => ({
    meter: new PressureMeter(state),
    kept: { compressibility: null } as Kept,
  }),
  async execute({ slots, state, own }) {
    const { tau_pressure: tau, dt, every, coupling } = slots;
    const pressure = rampedAt(slots.pressure, state);
    const { count, domain } = state.get(gridKey);
    const present = await own.meter.pressure();
    own.kept.compressibility ??=
      slots.compressibility ?? liquidCompressibility(domain.volume, count, present.kT);
    const part = (every * dt * own.kept.compressibility) / tau;
    const factor = (p: number) => Math.cbrt(1 - part * (pressure - p));
    const [x, y, z] = present.diagonal;
    const mean = factor((x + y + z) / 3);
    rescaleBox(state, coupling === 'iso' ? [mean, mean, mean] : [factor(x), factor(y), factor(z)]);
  },
  save: ({ own }) => own.kept,
  restore: ({ own }, saved) => {
    own.kept.compressibility = saved.compressibility;
  },
  dispose: ({ own }) => own.meter.close(),
});
