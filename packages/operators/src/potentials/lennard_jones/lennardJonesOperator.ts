import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type LoadContext,
  type SlotSpecs,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { type Mixing, mixingRules } from '../pair/mixing.js';
import { checkPairSlots, typeNames } from '../pair/pairForceOperator.js';
import { pairForceSlots } from '../pair/pairForceSlots.js';
import { lennardJones } from './lennardJones.js';
import { lennardJonesForce } from './lennardJonesForce.js';
import type { LennardJonesPair } from './pairTables.js';

const coefficients = {
  epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth' },
  sigma: { dimension: dimensions.length, above: 0, doc: 'diameter' },
};

const slots: SlotSpecs = pairForceSlots(coefficients, mixingRules);

export const lennardJonesOperator = defineOperator({
  name: 'lennard_jones_force',
  doc: 'Adds Lennard-Jones forces, u(r) = 4 epsilon ((sigma/r)^12 − (sigma/r)^6), cut off at rcut.',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [lennardJones],
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
  execute: ({ state, own }) => addForces(state, own),
});

interface Slots {
  readonly epsilon?: number;
  readonly sigma?: number;
  readonly rcut?: number;
  readonly pairs?: readonly LennardJonesPair[];
  readonly mixing: Mixing;
  readonly shift: 'none' | 'energy' | 'force';
}

function makeTerm(slots: Slots, load: Pick<LoadContext, 'particleTypes'>): ForceTerm {
  const { epsilon, sigma, rcut, pairs, mixing, shift } = slots;
  return lennardJonesForce({
    types: typeNames(load),
    pairs: pairs ?? [{ epsilon: epsilon!, sigma: sigma!, rcut: rcut! }],
    mixing,
    shift,
  });
}
