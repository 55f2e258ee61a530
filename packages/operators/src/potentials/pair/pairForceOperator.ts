import {
  CorpuscleError,
  defineOperator,
  type LoadContext,
  type OperatorDefinition,
  type ValidationContext,
} from '@corpuscle/core';
import { tellWithoutCharges } from '../../external/tellWithoutCharges.js';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import type { AnyPairPotential } from './definePairPotential.js';
import { listed, neededNames, pairForceSlots, slotOptionsOf } from './pairForceSlots.js';
import { windowOf } from './pairRows.js';

type Slots = Readonly<Record<string, unknown>>;

/**
 * The operator `<name>_force` of a pair potential.
 *
 * @example
 * createRegistry().add(pairForceOperator(softSphere));
 */
export function pairForceOperator(potential: AnyPairPotential): OperatorDefinition {
  const name = `${potential.name}_force`;
  const asked = slotOptionsOf(potential);
  const names = neededNames(potential.coefficients, asked);
  const termOf = (slots: Slots, load: LoadContext): ForceTerm => {
    const { pairs, mixing, shift, switch: switching, dielectric } = slots;
    const { units } = load.configuration;
    const all = { ...slots, types: undefined };
    const entries = ((pairs ?? [all]) as readonly Record<string, unknown>[]).map(pairEntry);
    const types = typeNames(load);
    // Slots are made from the coefficients, so that values have their types by construction.
    const options = { types, mixing, shift, switch: switching, dielectric, units, pairs: entries };
    return potential.term(options as never);
  };
  const definition = defineOperator({
    name,
    ranks: 'cards',
    doc: potential.doc,
    slots: pairForceSlots(potential.coefficients, asked),
    requires: [gridKey],
    provides: [ledgerKey],
    functors: (slots) => [potential.functorFor(windowOf(potential, slots))],
    // Others say how far they look by their slots.
    ...(potential.cutoff
      ? { reach: (slots: Slots, load: LoadContext) => termOf(slots, load).rcut }
      : {}),
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
    async prepare({ slots, state, location }): Promise<ForceTerm> {
      if (asked.charges) await tellWithoutCharges(state, name, location);
      return termOf(slots, state.simulation);
    },
    calls: ({ state, own }) => forceCalls(state, own),
    execute: ({ state, own, location }) => addForces(state, own, location),
  });
  potentials.set(definition, potential);
  return definition;
}

const potentials = new WeakMap<OperatorDefinition, AnyPairPotential>();

/** The potential that an operator is of, if it is of one. */
export const potentialOf = (definition: OperatorDefinition): AnyPairPotential | undefined =>
  potentials.get(definition);

/** An entry of YAML as an entry of options. */
export const pairEntry = ({ switch_from: switchFrom, ...entry }: Record<string, unknown>) =>
  switchFrom === undefined ? entry : { ...entry, switchFrom };

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
