import {
  CorpuscleError,
  defineOperator,
  type EntrySpec,
  type LoadContext,
  type OperatorDefinition,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import { type Mixing, mixingRules } from '../pair/mixing.js';
import { pairEntry, typeNames } from '../pair/pairForceOperator.js';
import {
  coefficientEntries,
  cutoffEntries,
  mixingSlot,
  slotOptionsOf,
  typesEntry,
} from '../pair/pairForceSlots.js';
import type { PairUse } from './PairUse.js';
import { pairForce, potentialsByName } from './pairForce.js';

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

/**
 * The operator `pair_force`: any potential for any pair of types.
 *
 * @param own potentials of your own that entries may use beside those there are
 * @example
 * createRegistry().add({ ...anyPairForceOperator([softSphere]), name: 'my_pair_force' });
 */
export function anyPairForceOperator(own: readonly AnyPairPotential[] = []): OperatorDefinition {
  const potentials = [...potentialsByName(own).values()];
  const termOf = (slots: Readonly<Record<string, unknown>>, load: LoadContext): ForceTerm => {
    const pairs = slots.pairs as readonly Record<string, unknown>[];
    return pairForce({
      types: typeNames(load),
      pairs: pairs.map((pair) => pairEntry(pair) as PairUse),
      mixing: slots.mixing as Mixing,
      units: load.configuration.units,
      potentials: own,
    });
  };
  return defineOperator({
    name: 'pair_force',
    doc: 'Adds the forces of any potentials for any pairs of types. Potentials of the same pair add up.',
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
            none: { types },
          },
        },
        doc: 'a potential for a pair of types, or for all pairs, each; none says that a pair has no forces',
      },
      mixing: mixingSlot([...mixingRules, 'atomic_numbers']),
    },
    requires: [gridKey],
    provides: [ledgerKey],
    reach: (slots, load) => termOf(slots, load).rcut,
    validate(context) {
      try {
        termOf(context.slots, context);
      } catch (error) {
        if (!(error instanceof CorpuscleError)) throw error;
        context.fail('pairs', error.code, error.message);
      }
    },
    prepare: ({ slots, state }): ForceTerm => termOf(slots, state.simulation),
    calls: ({ state, own: term }) => forceCalls(state, term),
    execute: ({ state, own: term }) => addForces(state, term),
  }) as OperatorDefinition;
}
