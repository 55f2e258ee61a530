import { dimensions, type SlotSpecs } from '@corpuscle/core';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import type { IntegratorRun } from '../../integrators/IntegratorSpec.js';
import { everySlot } from '../../integrators/turns.js';
import { beginClock, clockStart, rampOf } from '../clock.js';
import { measureKinetic, scaleBy, scalingStart } from '../kineticEnergy.js';
import { coldBath, type Temperature, temperatureSlot } from '../temperature.js';
import { chainFunctor, chainWeights, linksOf } from './chainFunctor.js';

interface ChainSlots {
  readonly temperature: Temperature;
  readonly tau: number;
  readonly chain: number;
  readonly parts: number;
  readonly order: string;
  readonly every: number;
  readonly dt: number;
}

/** A chain of thermostats, and how finely half a step of it is taken. */
export const chainSlots = {
  chain: { type: 'integer', min: 1, max: 64, default: 3, doc: 'links of the chain' },
  parts: {
    type: 'integer',
    min: 1,
    max: 64,
    default: 1,
    doc: 'equal parts in which half a step of the chain is taken',
  },
  order: {
    type: 'enum',
    values: ['2', '4', '6'],
    default: '2',
    doc: 'order of Suzuki and Yoshida of each part',
  },
} as const satisfies SlotSpecs;

/** Values with the factors of velocities: those of the first half step are another, so that both halves may be computed at once. */
type Scale = 'scaleFirst' | 'scale';

/** Half a step of the chain, or half of `every` steps; the clock moves on by `by` times as many. */
const halfStep = (scale: Scale, by: 0 | 1) => ({
  doc: 'Half a step of the chain of thermostats.',
  functor: ({ chain, parts, order }: ChainSlots) =>
    chainFunctor({ length: chain, weights: chainWeights(parts, Number(order)), scale }),
  params: ({ temperature, tau, every, dt }: ChainSlots, run: IntegratorRun) => ({
    ...rampOf(temperature, run),
    dt: every * dt,
    tau,
    removed: run.removedDegrees,
    by: by * every,
  }),
});

/**
 * Nosé–Hoover chains (Martyna, Klein and Tuckerman, J. Chem. Phys. 97, 2635 (1992)). A step is half a step of the chain, velocity
 * Verlet, and half a step of the chain with the new kinetic energy:
 *
 *   exp(iL_chain Δt/2)  exp(iL_v Δt/2)  exp(iL_r Δt)  exp(iL_v Δt/2)  exp(iL_chain Δt/2)
 */
export const noseHooverChain = defineIntegrator({
  name: 'nose_hoover',
  doc: 'Nosé–Hoover chains: canonical and deterministic, with a conserved quantity. The splitting is that of LAMMPS fix nvt.',
  slots: {
    temperature: temperatureSlot,
    tau: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'time scale of the thermostat: the mass of the first link is N_f kT tau²',
    },
    ...chainSlots,
    every: everySlot,
  },
  every: ({ every }) => every,
  values: ({ chain }) => ({
    ...clockStart,
    ...scalingStart,
    scaleFirst: 1,
    heat: 0,
    ...Object.fromEntries(linksOf(chain).map((name) => [name, 0])),
  }),
  bath: 'bath',
  keepsTemperature: true,
  validate({ slots, fail }) {
    const cold = coldBath(slots.temperature);
    if (cold) fail('temperature', 'INVALID_VALUE', cold);
  },
  begin: [beginClock(0), measureKinetic],
  phases: [
    halfStep('scaleFirst', 1),
    scaleBy('scaleFirst'),
    'step',
    measureKinetic,
    halfStep('scale', 0),
    scaleBy('scale'),
  ],
});
