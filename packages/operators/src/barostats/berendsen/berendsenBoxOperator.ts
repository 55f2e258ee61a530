import { defineOperator, dimensions, type SimulationState, type SlotSpecs } from '@corpuscle/core';
import {
  type BarostatCoupling,
  coupledAxes,
  couplingOf,
  pressureAxesSlot,
  wrongAxes,
} from '../../box/coupling.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { BoxControl } from '../BoxControl.js';
import { barostatSlots, liquidCompressibility } from '../barostatSlots.js';
import { kineticDiagonal } from '../PressureMeter.js';
import { type Pressures, pressuresByAxis, pressuresSlot, wrongPressures } from '../pressures.js';
import { rampedAt } from '../ramp.js';
import { berendsenBox } from './berendsenBox.js';

/** By how much each length follows each pressure. */
function sharesOf(coupling: BarostatCoupling) {
  const [x, y, z] = coupledAxes(coupling).map(
    (together) => (axis: 'x' | 'y' | 'z') => (together.includes(axis) ? 1 / together.length : 0),
  );
  return { xx: x!('x'), yy: y!('y'), zz: z!('z'), xy: x!('y'), xz: x!('z'), yz: y!('z') };
}

/** The pressures of the bath along x, y and z. */
function targetsOf(given: Pressures, state: SimulationState) {
  const each = pressuresByAxis(given);
  const at = (k: number) => rampedAt(each?.[k] ?? (given as number | readonly number[]), state);
  return { px: at(0), py: at(1), pz: at(2) };
}

/** What it takes beside the slots of all barostats. */
export const boxSlots = {
  pressure: pressuresSlot,
  tau_pressure: {
    type: 'quantity',
    dimension: dimensions.time,
    above: 0,
    required: true,
    doc: 'relaxation time',
  },
  coupling: {
    type: 'enum',
    values: ['iso', 'aniso', 'xy', 'xz', 'yz', 'x', 'y', 'z'],
    default: 'iso',
    doc: 'iso: the box only scales; aniso: each length follows its own pressure; xy, xz, yz: two change together; x, y, z: one length, the others stay',
  },
  axes: pressureAxesSlot,
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
  needs: ['virial_diagonal'],
  functors: [kineticDiagonal],
  validate({ slots, fail }) {
    const wrong = wrongAxes(slots);
    if (wrong) fail('axes', 'INVALID_VALUE', wrong);
    const unequal = slots.pressure && wrongPressures(slots.pressure, couplingOf(slots));
    if (unequal) fail('pressure', 'INVALID_VALUE', unequal);
  },
  prepare: ({ slots, state }) =>
    new BoxControl(state, berendsenBox, {
      name: 'berendsen_box',
      slower: 'tau_pressure',
      scalesVelocities: false,
      coupling: couplingOf(slots),
    }),
  calls: () => null,
  async execute({ slots, state, own }) {
    const { tau_pressure: tau, dt, every } = slots;
    const { total: count } = state.get(gridKey);
    const { volume } = own;
    own.compressibility ??=
      slots.compressibility ?? liquidCompressibility(volume, count, await own.temperature());
    const params = {
      volume,
      ...targetsOf(slots.pressure, state),
      part: (own.compressibility * every * dt) / tau,
      ...sharesOf(couplingOf(slots)),
    };
    await own.act(params);
  },
  finish: ({ own }) => own.finish(),
  save: ({ own }) => own.save(),
  restore: ({ own }, saved) => own.restore(saved),
  dispose: ({ own }) => own.close(),
});
