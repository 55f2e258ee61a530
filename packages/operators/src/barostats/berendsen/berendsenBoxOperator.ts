import { defineOperator, dimensions, type SlotSpecs } from '@corpuscle/core';
import {
  type BarostatCoupling,
  checkCoupling,
  coupledAxes,
  couplingOf,
  movedBy,
  pressureAxesSlot,
  wrongAxes,
} from '../../box/coupling.js';
import { requireTemperatureOf } from '../../integrators/degreesOfFreedom.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { BoxControl } from '../BoxControl.js';
import { barostatSlots, liquidCompressibility } from '../barostatSlots.js';
import { boxOperator } from '../boxOperator.js';
import { kineticDiagonal } from '../PressureMeter.js';
import {
  type Ends,
  ends,
  type Pressures,
  pressuresByAxis,
  pressuresSlot,
  wrongPressures,
} from '../pressures.js';
import { rampStepsOf } from '../ramp.js';
import { berendsenBox } from './berendsenBox.js';

/** By how much each length follows each pressure. */
function sharesOf(coupling: BarostatCoupling) {
  const [x, y, z] = coupledAxes(coupling).map(
    (together) => (axis: 'x' | 'y' | 'z') => (together.includes(axis) ? 1 / together.length : 0),
  );
  return { xx: x!('x'), yy: y!('y'), zz: z!('z'), xy: x!('y'), xz: x!('z'), yz: y!('z') };
}

/** The pressures of the bath along x, y and z, at both ends of a ramp. */
function targetsOf(given: Pressures) {
  const [x, y, z] = pressuresByAxis(given) ?? Array.from({ length: 3 }, () => ends(given as Ends));
  const [[px0, px1], [py0, py1], [pz0, pz1]] = [x!, y!, z!];
  return { px0, px1, py0, py1, pz0, pz1 };
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

const slots = { ...barostatSlots, ...boxSlots } as const satisfies SlotSpecs;

/**
 * The operator `berendsen_box`. It is no phase of `defineIntegrator`: phases compute with values of their
 * integrator, and this takes the virial of the forces and sets the box, which other operators share.
 */
export const berendsenBoxOperator = defineOperator({
  name: 'berendsen_box',
  doc: 'Weak coupling to a pressure (Berendsen et al., J. Chem. Phys. 81, 3684 (1984)), at the end of a step: volumes change by dt β (P − P0) / tau_pressure. Fluctuations are not those of an ensemble: use it to equilibrate.',
  slots,
  requires: [gridKey, ledgerKey],
  needsEvenSteps: () => 'berendsen_box',
  keepsNoAccount: 'berendsen',
  movesBox: (given) => movedBy(couplingOf(given)),
  checkBox: (given, domain) => checkCoupling(domain, couplingOf(given), 'berendsen'),
  functors: [kineticDiagonal],
  validate({ slots, fail }) {
    const wrong = wrongAxes(slots);
    if (wrong) fail('axes', 'INVALID_VALUE', wrong);
    const unequal = slots.pressure && wrongPressures(slots.pressure, couplingOf(slots));
    if (unequal) fail('pressure', 'INVALID_VALUE', unequal);
  },
  prepare({ slots, state }) {
    if (slots.compressibility === undefined) requireTemperatureOf('berendsen', state);
    return new BoxControl(state, berendsenBox, {
      name: 'berendsen_box',
      every: slots.every,
      slower: 'tau_pressure',
      scalesVelocities: false,
      coupling: couplingOf(slots),
      compressibility: async ({ volume, temperature }) =>
        slots.compressibility ??
        liquidCompressibility(volume, state.get(gridKey).total, await temperature()),
      params: (compressibility, volume) => ({
        volume,
        part: (compressibility * slots.every * slots.dt) / slots.tau_pressure,
        by: slots.every,
        ...rampStepsOf(state),
        ...targetsOf(slots.pressure),
        ...sharesOf(couplingOf(slots)),
      }),
    });
  },
  ...boxOperator,
});
