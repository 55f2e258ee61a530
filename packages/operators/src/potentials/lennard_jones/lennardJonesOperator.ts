import { CorpuscleError, defineOperator, type LoadContext, type SlotSpecs } from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import type { CutoffSwitch } from '../pair/cutoffSwitch.js';
import { type Mixing, mixingRules } from '../pair/mixing.js';
import { checkPairSlots, pairEntry, typeNames } from '../pair/pairForceOperator.js';
import { pairForceSlots } from '../pair/pairForceSlots.js';
import { type CutoffShift, cutoffShifts } from '../pair/pairOutputs.js';
import { lennardJones } from './lennardJones.js';
import { lennardJonesForce } from './lennardJonesForce.js';
import { lennardJonesRadial } from './lennardJonesRadial.js';
import type { LennardJonesPair } from './pairTables.js';

const { coefficients } = lennardJonesRadial;
const options = { mixing: mixingRules, shifts: cutoffShifts, switching: 'none' } as const;
const slots: SlotSpecs = pairForceSlots(coefficients, options);

export const lennardJonesOperator = defineOperator({
  name: 'lennard_jones_force',
  doc: 'Adds Lennard-Jones forces, u(r) = 4 epsilon ((sigma/r)^12 − (sigma/r)^6), cut off at rcut.',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  functors: ({ switch: window = 'none' }) => [
    window === 'none' ? lennardJones : lennardJonesRadial.functorFor(window as CutoffSwitch),
  ],
  validate({ slots, fail, ...load }) {
    checkPairSlots('lennard_jones_force', ['epsilon', 'sigma', 'rcut'], { slots, fail });
    try {
      makeTerm(slots as unknown as Slots, load);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail(slots.pairs ? 'pairs' : '', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots as unknown as Slots, state.simulation),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});

interface Slots {
  readonly epsilon?: number;
  readonly sigma?: number;
  readonly rcut?: number;
  readonly switch_from?: number;
  readonly pairs?: readonly LennardJonesPair[];
  readonly mixing: Mixing;
  readonly shift: CutoffShift;
  readonly switch: CutoffSwitch;
}

function makeTerm(slots: Slots, load: Pick<LoadContext, 'particleTypes'>): ForceTerm {
  const { epsilon, sigma, rcut, switch_from, pairs, mixing, shift, switch: window } = slots;
  const entries = (pairs ?? [{ epsilon, sigma, rcut, switch_from }]) as readonly object[];
  return lennardJonesForce({
    types: typeNames(load),
    pairs: entries.map((entry) => pairEntry({ ...entry }) as unknown as LennardJonesPair),
    mixing,
    shift,
    switch: window,
  });
}
