import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type LoadContext,
  randomStream,
  type SlotSpecs,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import { knownTime } from '../../integrators/physicalTime.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { timeStep } from '../../run/timeStep.js';
import type { CutoffSwitch } from '../pair/cutoffSwitch.js';
import { checkPairSlots, pairEntry, typeNames } from '../pair/pairForceOperator.js';
import { pairForceSlots } from '../pair/pairForceSlots.js';
import { type DpdPair, type DpdTerm, dpdForce } from './dpdForce.js';
import { dpdFunctor } from './switchedDpd.js';

/** Coefficients of a pair. */
export const dpdCoefficients = {
  A: { dimension: dimensions.force, min: 0, doc: 'largest repulsive force' },
  gamma: { dimension: { mass: 1, time: -1 }, min: 0, doc: 'friction, mass/time' },
} as const;
const names = [...Object.keys(dpdCoefficients), 'rcut'];

/** Energy and force end at 0 by themselves, or in a window. */
export const dpdEnd = { shifts: ['force'], switching: 'none' } as const;

const slots: SlotSpecs = {
  ...pairForceSlots(dpdCoefficients, dpdEnd),
  temperature: {
    type: 'quantity',
    dimension: dimensions.temperature,
    min: 0,
    required: true,
    doc: 'temperature that friction and noise hold',
  },
  dt: timeStep,
  seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
};

export const dpdOperator = defineOperator<SlotSpecs, DpdTerm>({
  name: 'dpd_force',
  doc: 'Adds the forces of dissipative particle dynamics: repulsion A (1 − r/rcut), and friction and noise of pairs, which hold the temperature and conserve momentum.',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  keepsTemperature: true,
  needsEvenSteps: () => 'dpd_force',
  functors: ({ switch: window }) => [dpdFunctor(window as CutoffSwitch)],
  validate({ slots, fail, ...load }) {
    checkPairSlots('dpd_force', names, { slots, fail });
    try {
      makeTerm(slots, load);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail(slots.pairs ? 'pairs' : '', error.code, error.message);
    }
  },
  executesOnResume: true,
  prepare: ({ slots, state }): DpdTerm => makeTerm(slots, state.simulation),
  calls: ({ state, own }) => forceCalls(state, own),
  execute({ state, own, location }) {
    knownTime(state, 'dpd_force');
    return addForces(state, own, location);
  },
  save: async ({ own }) => ({ evaluations: await own.evaluations() }),
  restore({ own }, saved) {
    own.goOnAt((saved as { readonly evaluations: number }).evaluations);
  },
  dispose({ own }) {
    own.close();
  },
});

function makeTerm(
  slots: Readonly<Record<string, unknown>>,
  { configuration, ...load }: Pick<LoadContext, 'particleTypes' | 'configuration'>,
): DpdTerm {
  const all = Object.fromEntries([...names, 'switch_from'].map((name) => [name, slots[name]]));
  const pairs = (slots.pairs ?? [all]) as readonly Record<string, unknown>[];
  return dpdForce({
    types: typeNames(load),
    pairs: pairs.map(pairEntry) as unknown as readonly DpdPair[],
    switch: slots.switch as CutoffSwitch,
    kT: configuration.units.boltzmann * (slots.temperature as number),
    dt: slots.dt as number,
    seed: (slots.seed as number | undefined) ?? configuration.seed,
    stream: randomStream('dpd_force'),
  });
}
