import {
  defineOperator,
  dimensions,
  type Need,
  type OperatorBundle,
  type SimulationState,
  type SlotSpecs,
  type SlotValues,
} from '@corpuscle/core';
import {
  barostatCouplingSlot,
  checkCoupling,
  couplingOf,
  movedBy,
  pressureAxesSlot,
  wrongAxes,
} from '../../box/coupling.js';
import { requireTemperatureOf } from '../../integrators/degreesOfFreedom.js';
import type { StepParts } from '../../integrators/joinSteps.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { stepComposite } from '../../integrators/stepComposite.js';
import { everySlot, hasTurn } from '../../integrators/turns.js';
import { kick, kickDrift } from '../../integrators/velocity_verlet/velocityVerlet.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { timeStep } from '../../run/timeStep.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { chainWeights } from '../../thermostats/nose_hoover/chainFunctor.js';
import { chainSlots, noseHooverChain } from '../../thermostats/nose_hoover/noseHooverChain.js';
import { coldBath, temperatureSlot } from '../../thermostats/temperature.js';
import { kineticParts, partsOf } from '../PressureMeter.js';
import {
  ends,
  meanPressure,
  pressuresByAxis,
  pressuresSlot,
  wrongPressures,
} from '../pressures.js';
import type { MtkOptions } from './MtkOptions.js';
import { MtkRun, mtkKey } from './MtkRun.js';
import { boxMoves, driftBeforeBox } from './moves.js';

/** What constant pressure needs beside a temperature. */
const pressureSlots = {
  pressure: pressuresSlot,
  tau_pressure: {
    type: 'quantity',
    dimension: dimensions.time,
    above: 0,
    required: true,
    doc: 'relaxation time of the box; masses of the box are (N + 1) kT tau_pressure²',
  },
  coupling: barostatCouplingSlot,
  axes: pressureAxesSlot,
  temperature: {
    ...temperatureSlot,
    required: false,
    doc: 'temperature of the bath, or [first, last] for a ramp; without it there is no thermostat (NPH)',
  },
  tau: {
    type: 'quantity',
    dimension: dimensions.time,
    above: 0,
    doc: 'relaxation time of the thermostat; with temperature',
  },
  ...chainSlots,
  chain_pressure: {
    type: 'integer',
    min: 1,
    max: 64,
    doc: 'with a pressure: links of the chain of the box; default: as many as chain',
  },
  parts_pressure: {
    type: 'integer',
    min: 1,
    max: 64,
    doc: 'with a pressure: equal parts in which half a step of the chain of the box is taken; default: 1',
  },
  every: everySlot,
  dt: timeStep,
} as const satisfies SlotSpecs;

/** Slots of the operators: those of the name, and its number. */
const operatorSlots = {
  ...pressureSlots,
  use: {
    type: 'integer',
    direction: 'private',
    min: 0,
    default: 0,
    doc: 'not looked at: a simulation has one box',
  },
} as const satisfies SlotSpecs;

type Slots = SlotValues<typeof pressureSlots>;

function optionsOf(slots: Slots, state: SimulationState): MtkOptions {
  const { temperature, tau, pressure, chain, every, dt } = slots;
  const chainOf = (length: number, parts: number) => ({
    length,
    weights: chainWeights(parts, Number(slots.order)),
  });
  const { boltzmann } = state.simulation.configuration.units;
  const [first, last] = ends(temperature ?? 0);
  return {
    kT: temperature === undefined ? null : [boltzmann * first, boltzmann * last],
    tau: tau ?? 0,
    pressure: meanPressure(pressure, couplingOf(slots)),
    pressures: pressuresByAxis(pressure),
    tauPressure: slots.tau_pressure,
    coupling: couplingOf(slots),
    dt,
    every,
    chain: chainOf(chain, slots.parts),
    boxChain: chainOf(slots.chain_pressure ?? chain, slots.parts_pressure ?? 1),
  };
}

/** The forces of a step tell the virial where the box acts at its end. */
const virialInTurn = ({ every, coupling }: Slots, { step }: SimulationState): readonly Need[] => {
  if (!hasTurn('after', step, every)) return [];
  return [coupling === 'triclinic' ? 'virial_alone' : 'virial_diagonal'];
};

/** What measures the kinetic tensor. */
const measured = (slots: Parameters<typeof couplingOf>[0]) =>
  kineticParts[partsOf(couplingOf(slots))];

/**
 * The first half of a step. Neither half is a phase of `defineIntegrator`: phases compute with values of their integrator, and these
 * take the virial of the forces and set the box, which other operators share.
 */
const noseHooverMove = defineOperator({
  name: 'nose_hoover_move',
  doc: 'First half of a step at constant pressure (MTK): chains, strain rates, velocities, box and positions.',
  slots: operatorSlots,
  requires: [gridKey, ledgerKey],
  provides: [mtkKey],
  movesBox: (slots) => movedBy(couplingOf(slots)),
  checkBox: (slots, domain) => checkCoupling(domain, couplingOf(slots), 'a barostat'),
  needs: virialInTurn,
  functors: (slots) => [measured(slots), boxMoves(slots.coupling).move, driftBeforeBox, kickDrift],
  validate({ slots, fail }) {
    if ((slots.temperature === undefined) !== (slots.tau === undefined))
      fail('', 'MISSING_VALUE', 'give temperature and tau together, or neither for NPH');
    const cold = coldBath(slots.temperature);
    if (cold) fail('temperature', 'INVALID_VALUE', cold);
    const wrong = wrongAxes(slots);
    if (wrong) fail('axes', 'INVALID_VALUE', wrong);
    const unequal = slots.pressure && wrongPressures(slots.pressure, couplingOf(slots));
    if (unequal) fail('pressure', 'INVALID_VALUE', unequal);
  },
  prepare({ slots, state }) {
    requireTemperatureOf('nose_hoover', state);
    const run = new MtkRun(state, optionsOf(slots, state));
    state.set(mtkKey, run);
    return run;
  },
  calls: ({ own }) => own.calls('move'),
  variant: ({ own }) => own.moveVariant,
  doesMore: ({ own }) => own.looks,
  steadyUntil: ({ own }) => own.steadyUntil,
  execute: ({ own }) => own.move(),
  save: async ({ own }) => (await own.save()) as Record<string, never>,
  restore: ({ own }, saved) => own.restore(saved),
  dispose: ({ own }) => own.close(),
});

const noseHooverKick = defineOperator({
  name: 'nose_hoover_kick',
  doc: 'Second half of a step at constant pressure (MTK): velocities, strain rates and chains, with the new forces.',
  slots: operatorSlots,
  requires: [gridKey, ledgerKey, mtkKey],
  needs: virialInTurn,
  functors: (slots) => [boxMoves(slots.coupling).kick, measured(slots), scaleVelocity, kick],
  calls: ({ state }) => state.get(mtkKey).calls('kick'),
  variant: ({ state }) => (state.get(mtkKey).acts('kick') ? 1 : 0),
  steadyUntil: ({ state }) => state.get(mtkKey).steadyUntil,
  execute: ({ state }) => state.get(mtkKey).kick(),
});

/** What moves particles and box. */
const inBox: StepParts = {
  kind: 'moves',
  segments: [
    { own: ['nose_hoover_move'], late: [] },
    { own: ['nose_hoover_kick'], late: [] },
  ],
  takes: {
    nose_hoover_move: Object.keys(operatorSlots),
    nose_hoover_kick: Object.keys(operatorSlots),
  },
};

const { pressure, tau_pressure } = pressureSlots;
const { temperature } = noseHooverChain.spec.slots!;

/** `nose_hoover` in a numerical scheme: constant temperature, constant pressure, or both. */
export const noseHoover: OperatorBundle = {
  name: 'nose_hoover',
  operators: [noseHooverMove, noseHooverKick, ...noseHooverChain.operators],
  composites: [
    stepComposite(
      {
        name: 'nose_hoover',
        doc: 'Nosé–Hoover chains: a thermostat, and a barostat where a pressure is given. Without one the temperature is constant (NVT). With one it moves particles and box (Martyna, Tobias and Klein): NPH, or NPT with temperature and tau. The splittings are those of fix nvt, nph and npt of LAMMPS.',
        slots: {
          ...groupSlot,
          ...pressureSlots,
          ...noseHooverChain.spec.slots,
          temperature: { ...temperature, required: false },
          pressure: { ...pressure, required: false },
          tau_pressure: { ...tau_pressure, required: false },
        },
      },
      ({ settings, wordOf, fail }) => {
        if (settings.pressure && (wordOf('group') ?? 'all') !== 'all')
          fail('INVALID_VALUE', 'a pressure is that of all particles: leave group out');
        if (settings.pressure && settings.parts && !settings.temperature)
          fail(
            'INVALID_VALUE',
            'parts is of a chain of particles: give temperature and tau, or parts_pressure',
          );
        if (settings.pressure) return inBox;
        for (const slot of ['tau_pressure', 'coupling', 'axes', 'chain_pressure', 'parts_pressure'])
          if (settings[slot])
            fail('MISSING_VALUE', `nose_hoover has ${slot} and no pressure: give one`);
        return noseHooverChain.parts;
      },
    ),
  ],
};
