import {
  defineOperator,
  type NamedFunctor,
  type OperatorDefinition,
  type SimulationState,
  type SlotSpecs,
  type SlotValues,
  type ValidationContext,
} from '@corpuscle/core';
import type { ParticleAdaptations } from '@corpuscle/patterns';
import { addForces, forceCalls } from '../forces/currentLedger.js';
import type { ForceTerm } from '../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../run/stateKeys.js';
import { groupOptions, groupSlot } from '../sets/group/Groups.js';
import { tellWithoutCharges } from './tellWithoutCharges.js';

/** An operator that adds the force of something outside to a group of particles. */
export interface ExternalOperator<S extends SlotSpecs> {
  readonly name: string;
  readonly doc: string;
  readonly slots: S;
  readonly functors: readonly NamedFunctor[];
  /** Makes the term; `options` restrict its calls to the group. */
  readonly term: (
    slots: SlotValues<S>,
    options: ParticleAdaptations,
    state: SimulationState,
  ) => ForceTerm | Promise<ForceTerm>;
  readonly validate?: (context: ValidationContext) => void;
  /** It acts on charges alone. */
  readonly ofCharges?: boolean;
  /** It takes velocities from particles. */
  readonly stops?: boolean;
  /** As in `defineOperator`. */
  readonly needsEvenSteps?: OperatorDefinition['needsEvenSteps'];
  /** It reads unwrapped positions from where particles were placed. */
  readonly unwraps?: boolean;
}

/** The operator of an external force. */
export function externalOperator<const S extends SlotSpecs>({
  name,
  doc,
  slots,
  functors,
  term,
  validate,
  needsEvenSteps,
  ofCharges = false,
  stops = false,
  unwraps = false,
}: ExternalOperator<S>): OperatorDefinition {
  return defineOperator<SlotSpecs, ForceTerm>({
    name,
    doc,
    slots: { ...slots, ...groupSlot },
    box: 'kept',
    changesVelocities: stops,
    unwraps,
    requires: [gridKey],
    provides: [ledgerKey],
    functors,
    reach: () => 0,
    ...(validate && { validate }),
    ...(needsEvenSteps && { needsEvenSteps }),
    // Slots are those of the spec, so that their types hold by construction.
    async prepare({ slots: given, state, location }) {
      if (ofCharges) await tellWithoutCharges(state, name, location);
      return term(given as SlotValues<S>, groupOptions(state, given.group as string), state);
    },
    calls: ({ state, own }) => forceCalls(state, own),
    execute: ({ state, own }) => addForces(state, own),
  });
}
