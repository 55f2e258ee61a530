import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type EntrySpec,
  type OperatorDefinition,
  type SimulationState,
  type SlotSpecs,
  type SourceLocation,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { knownTime } from '../../integrators/physicalTime.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { timeStep } from '../../run/timeStep.js';
import { dpdCoefficients, dpdEnd } from '../dpd/dpdOperator.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import { mixingRules } from '../pair/mixing.js';
import {
  coefficientEntries,
  cutoffEntries,
  mixingSlot,
  slotOptionsOf,
  typesEntry,
} from '../pair/pairForceSlots.js';
import { interpolationEntries, tableEntries, windowEntry } from '../tabulated/tableSlots.js';
import { potentialsByName } from './pairForce.js';
import {
  checkPairForce,
  hasDpd,
  type PairForceTerms,
  pairForceTerms,
  reachOfPairForce,
} from './pairForceTerms.js';

const types = { ...typesEntry, required: false, doc: 'the two types; default all pairs' } as const;

/** What an entry with this potential takes. */
function entriesOf(potential: AnyPairPotential): Record<string, EntrySpec> {
  const asked = slotOptionsOf(potential);
  return {
    types,
    ...coefficientEntries(potential.coefficients, asked, true),
    ...cutoffEntries(asked),
  };
}

const required = <E>(entry: E) => ({ ...entry, required: true }) as const;

/** What an entry with a table or with DPD takes. */
const tabulatedEntries = {
  types,
  file: required(tableEntries.file),
  keyword: required(tableEntries.keyword),
  rcut: required(tableEntries.rcut),
  ...windowEntry,
  ...interpolationEntries,
};
const DPD_OF_PAIRS = 'dpd of pair_force';

const dpdEntries = {
  types,
  ...coefficientEntries(dpdCoefficients, dpdEnd, true),
  ...cutoffEntries(dpdEnd),
};

/**
 * The operator `pair_force`: any potential for any pair of types.
 *
 * @param own potentials of your own that entries may use beside those there are
 * @example
 * createRegistry().add({ ...anyPairForceOperator([softSphere]), name: 'my_pair_force' });
 */
export function anyPairForceOperator(own: readonly AnyPairPotential[] = []): OperatorDefinition {
  const potentials = [...potentialsByName(own).values()];
  return defineOperator<SlotSpecs, PairForceTerms>({
    name: 'pair_force',
    doc: 'Adds the forces of any potentials for any pairs of types, tables and DPD among them. Potentials of the same pair add up.',
    slots: {
      pairs: {
        type: 'list',
        minLength: 1,
        required: true,
        of: {
          type: 'variant',
          key: 'use',
          variants: {
            ...Object.fromEntries(potentials.map((p) => [p.name, entriesOf(p)])),
            tabulated: tabulatedEntries,
            dpd: dpdEntries,
            none: { types },
          },
        },
        doc: 'a potential for a pair of types, or for all pairs, each; none says that a pair has no forces',
      },
      mixing: mixingSlot([...mixingRules, 'atomic_numbers']),
      temperature: {
        type: 'quantity',
        dimension: dimensions.temperature,
        min: 0,
        doc: 'of dpd: temperature that friction and noise hold',
      },
      dt: { ...timeStep, required: false, doc: 'of dpd: time step' },
      seed: { type: 'integer', min: 0, doc: 'of dpd; default the seed of the configuration' },
    },
    requires: [gridKey],
    provides: [ledgerKey],
    needsEvenSteps: (slots) => (hasDpd(slots) ? DPD_OF_PAIRS : undefined),
    reach: (slots, load) => reachOfPairForce(slots, load, own),
    validate(context) {
      try {
        checkPairForce(context.slots, context, own);
      } catch (error) {
        if (!(error instanceof CorpuscleError)) throw error;
        context.fail('pairs', error.code, error.message);
      }
    },
    executesOnResume: true,
    prepare: ({ slots, state }) => pairForceTerms(slots, state.simulation, own),
    calls({ state, own: { terms } }) {
      const all = terms.map((term) => forceCalls(state, term));
      return all.includes(null) ? null : all.flatMap((calls) => calls!);
    },
    execute({ state, own: { terms, dpd }, location }) {
      if (dpd.length > 0) knownTime(state, DPD_OF_PAIRS);
      return addAll(state, terms, location);
    },
    // All of them count the same evaluations.
    save: async ({ own: { dpd } }) => (dpd[0] ? { evaluations: await dpd[0].evaluations() } : {}),
    restore({ own: { dpd } }, saved) {
      for (const term of dpd) term.goOnAt((saved as { readonly evaluations: number }).evaluations);
    },
    dispose({ own: { dpd } }) {
      for (const term of dpd) term.close();
    },
  });
}

/** Adds terms in their order. */
function addAll(
  state: SimulationState,
  terms: readonly ForceTerm[],
  location: SourceLocation | undefined,
  from = 0,
): void | Promise<void> {
  for (let k = from; k < terms.length; k++) {
    const running = addForces(state, terms[k]!, k === 0 ? location : undefined);
    if (running) return running.then(() => addAll(state, terms, location, k + 1));
  }
  return undefined;
}
