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
import { earlierGroupSlot, groupOptions } from '../sets/group/Groups.js';
import { tellWithoutCharges } from './tellWithoutCharges.js';
import type { WallMotion } from './walls/WallMotion.js';

/** Its force, and how it moves. */
interface External {
  readonly term: ForceTerm;
  readonly motion: WallMotion | null;
}

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
    motion: WallMotion | null,
  ) => ForceTerm | Promise<ForceTerm>;
  /** How it moves; null where it stands. */
  readonly motion?: (slots: SlotValues<S>, state: SimulationState) => WallMotion | null;
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
  motion: motionOf,
  validate,
  needsEvenSteps,
  ofCharges = false,
  stops = false,
  unwraps = false,
}: ExternalOperator<S>): OperatorDefinition {
  return defineOperator<SlotSpecs, External>({
    name,
    doc,
    slots: { ...slots, ...earlierGroupSlot },
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
      const values = given as SlotValues<S>;
      const motion = motionOf?.(values, state) ?? null;
      const options = groupOptions(state, given.group as string);
      return { term: await term(values, options, state, motion), motion };
    },
    calls({ state, own }) {
      const moving = own.motion ? own.motion.calls : [];
      const forces = forceCalls(state, own.term);
      return moving && forces && [...moving, ...forces];
    },
    execute({ state, own, location }) {
      own.motion?.set();
      return addForces(state, own.term, location);
    },
    dispose: ({ own }) => own.motion?.close(),
  });
}
