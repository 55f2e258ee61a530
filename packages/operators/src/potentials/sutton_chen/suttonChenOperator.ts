import { CorpuscleError, defineOperator, dimensions, type LoadContext } from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import type { Coefficients } from '../pair/definePairPotential.js';
import type { Mixing } from '../pair/mixing.js';
import { checkPairSlots, typeNames } from '../pair/pairForceOperator.js';
import { pairForceSlots } from '../pair/pairForceSlots.js';
import { type SuttonChenPair, suttonChen, suttonChenForce, suttonChenRules } from './suttonChen.js';

const coefficients: Coefficients = {
  epsilon: { dimension: dimensions.energy, min: 0, doc: 'unit of energy' },
  a: { dimension: dimensions.length, above: 0, doc: 'lattice constant' },
  n: { dimension: dimensions.none, above: 0, doc: 'exponent of the repulsion' },
  m: { dimension: dimensions.none, above: 0, doc: 'exponent of the density' },
  c: {
    dimension: dimensions.none,
    min: 0,
    doc: 'strength of the embedding; of pairs of like types only',
  },
};
const names = [...Object.keys(coefficients), 'rcut'];
const slots = pairForceSlots(coefficients, { mixing: suttonChenRules });

export const suttonChenOperator = defineOperator({
  name: 'sutton_chen_force',
  doc: 'Adds the forces of Sutton and Chen’s potential of metals, epsilon (sum of pairs (a/r)^n − sum of particles c sqrt(sum of (a/r)^m)).',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [suttonChen],
  validate({ slots, fail, ...load }) {
    checkPairSlots('sutton_chen_force', names, { slots, fail });
    try {
      makeTerm(slots, load);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail(slots.pairs ? 'pairs' : '', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots, state.simulation),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});

function makeTerm(
  slots: Readonly<Record<string, unknown>>,
  load: Pick<LoadContext, 'particleTypes'>,
): ForceTerm {
  const all = Object.fromEntries(names.map((name) => [name, slots[name]]));
  const pairs = (slots.pairs ?? [all]) as readonly SuttonChenPair[];
  const mixing = slots.mixing as Mixing | undefined;
  return suttonChenForce({ types: typeNames(load), pairs, mixing });
}
