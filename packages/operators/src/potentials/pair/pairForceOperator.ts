import {
  CorpuscleError,
  defineOperator,
  type LoadContext,
  type OperatorDefinition,
  type ValidationContext,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import type { Coefficients, PairPotential } from './definePairPotential.js';
import { listed, pairForceSlots } from './pairForceSlots.js';

/**
 * The operator `<name>_force` of a pair potential.
 *
 * @example
 * createRegistry().add(pairForceOperator(softSphere));
 */
export function pairForceOperator<C extends Coefficients>(
  potential: PairPotential<C>,
): OperatorDefinition {
  const name = `${potential.name}_force`;
  const names = [...Object.keys(potential.coefficients), 'rcut'];
  const termOf = (slots: Readonly<Record<string, unknown>>, load: LoadContext): ForceTerm => {
    const types = typeNames(load);
    const { pairs, mixing, shift } = slots;
    const entries = pairs ?? [Object.fromEntries(names.map((key) => [key, slots[key]]))];
    // Slots are made from the coefficients, so that values have their types by construction.
    const options = { types, mixing, shift, pairs: entries } as Parameters<
      typeof potential.term
    >[0];
    return potential.term(options);
  };
  return defineOperator({
    name,
    doc: potential.doc,
    slots: pairForceSlots(potential.coefficients, potential.mixing),
    requires: [gridKey],
    provides: [ledgerKey],
    functors: [potential.functor],
    validate(context) {
      checkPairSlots(name, names, context);
      const { slots, fail } = context;
      try {
        termOf(slots, context);
      } catch (error) {
        if (!(error instanceof CorpuscleError)) throw error;
        fail(slots.pairs ? 'pairs' : '', error.code, error.message);
      }
    },
    prepare: ({ slots, state }): ForceTerm => termOf(slots, state.simulation),
    calls: ({ state, own }) => forceCalls(state, own),
    execute: ({ state, own }) => addForces(state, own),
  });
}

/** Names of the particle types; one type where the file names none. */
export function typeNames({
  particleTypes,
}: Pick<LoadContext, 'particleTypes'>): readonly string[] {
  return particleTypes.names.length > 0 ? particleTypes.names : ['A'];
}

/** Either all of `names`, or `pairs`. */
export function checkPairSlots(
  operator: string,
  names: readonly string[],
  { slots, fail }: Pick<ValidationContext, 'slots' | 'fail'>,
): void {
  const given = names.filter((name) => slots[name] !== undefined);
  if (slots.pairs && given.length > 0)
    fail(given[0]!, 'INVALID_VALUE', `give either ${given[0]} or pairs, not both`);
  if (slots.pairs || given.length === names.length) return;
  const missing = names.filter((name) => !given.includes(name));
  const are = missing.length > 1 ? 'are' : 'is';
  fail(
    '',
    'MISSING_VALUE',
    `${operator} needs ${listed(names)}, or pairs: ${listed(missing)} ${are} missing`,
  );
}
