import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type OperatorBundle,
  type OperatorContext,
  type OperatorDefinition,
  type SlotSpecs,
  type SlotValues,
} from '@corpuscle/core';
import { type CellFunctor, type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { groupOptions, groupSlot } from '../sets/group/Groups.js';

const time = {
  dt: {
    type: 'quantity',
    dimension: dimensions.time,
    above: 0,
    required: true,
    doc: 'time step',
  },
} as const satisfies SlotSpecs;

/** Values of the slots of a phase, `dt` among them. */
export type PhaseSlots<S extends SlotSpecs> = SlotValues<S> & { readonly dt: number };

/** A part of a step: a functor for every particle. It becomes an operator. */
export interface IntegratorPhase<S extends SlotSpecs = SlotSpecs> {
  /** Its operator's name. Default: the integrator's, and the number of the phase, from 1. */
  readonly name?: string;
  /** One sentence for `corpuscle operators`. */
  readonly doc: string;
  // biome-ignore lint/suspicious/noExplicitAny: functors of any fields and parameters
  readonly functor: CellFunctor<any, any>;
  /** Its parameters, from the slots; numbers are in internal units. */
  readonly params?: (slots: PhaseSlots<S>) => Readonly<Record<string, number>>;
}

/** An integrator as its author writes it. */
export interface IntegratorSpec<S extends SlotSpecs> {
  /** snake_case; also the name of the batch that makes a step. */
  readonly name: string;
  readonly doc: string;
  /** What it takes beside `dt`, the time step, which all have. */
  readonly slots?: S;
  /** What a step does, in order. At `'forces'` lists are updated and forces computed at the present positions. */
  readonly phases: readonly (IntegratorPhase<S> | 'forces')[];
}

/** An integrator that a registry can take: its operators, and a batch that makes a step with them. */
export interface Integrator extends OperatorBundle {
  readonly doc: string;
}

/**
 * Declares an integrator by what it does to every particle before and after forces are computed. Lists, forces, the clock,
 * threads and GPUs are not its concern.
 *
 *   phases  [ kick_drift, 'forces', kick ]
 *   batch   velocity_verlet: [next_time_step, kick_drift, update_neighbors, update_forces, kick]
 *
 * In YAML `numerical_scheme: velocity_verlet` chooses it, and its operators can be put into batches of one's own.
 *
 * @throws CorpuscleError INVALID_VALUE when no phase or no 'forces' is named.
 * @example
 * export const eulerCromer = defineIntegrator({
 *   name: 'euler_cromer',
 *   doc: 'First order, symplectic: v += dt f/m, then r += dt v.',
 *   phases: ['forces', { doc: 'Moves particles.', functor: kickDrift, params: ({ dt }) => ({ dt, halfDt: dt }) }],
 * });
 * createRegistry().addBundle(eulerCromer);
 */
export function defineIntegrator<const S extends SlotSpecs = SlotSpecs>(
  spec: IntegratorSpec<S>,
): Integrator {
  const { name, doc, slots, phases } = spec;
  if (!phases.includes('forces') || phases.every((phase) => phase === 'forces'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the integrator '${name}' needs at least one phase and 'forces'`,
    );
  const operators: OperatorDefinition[] = [];
  const steps = phases.map((phase) => {
    if (phase === 'forces') return 'update_neighbors, update_forces';
    const operator = phaseOperator(`${name}_${operators.length + 1}`, slots, phase);
    operators.push(operator);
    return operator.name;
  });
  return { name, doc, operators, defaults: `${name}: [next_time_step, ${steps.join(', ')}]\n` };
}

interface PhaseCall {
  call: PreparedCall;
  /** What it was made from: see `SimulationState.renewCalls`. */
  version: number;
}

function phaseOperator<S extends SlotSpecs>(
  name: string,
  slots: S | undefined,
  { functor, params, ...phase }: IntegratorPhase<S>,
): OperatorDefinition {
  // Slots are those of the spec, so that their types hold by construction.
  const valuesOf = ({ slots }: OperatorContext) => params?.(slots as unknown as PhaseSlots<S>);
  const callFor = (context: OperatorContext): PreparedCall => {
    const { state } = context;
    const values = valuesOf(context);
    const options = {
      ...(values && { params: values }),
      ...groupOptions(state, context.slots.group as string),
    };
    return prepareCellParticles(state.get(gridKey), functor, contextOf(state), options);
  };
  const callOf = (context: OperatorContext<SlotSpecs, PhaseCall>): PreparedCall => {
    const { own, state } = context;
    if (own.version !== state.callsVersion) {
      own.call.close();
      own.call = callFor(context);
      own.version = state.callsVersion;
    }
    return own.call;
  };
  return defineOperator<SlotSpecs, PhaseCall>({
    name: phase.name ?? name,
    doc: phase.doc,
    slots: { ...time, ...groupSlot, ...slots },
    requires: [gridKey],
    functors: [functor],
    prepare: (context) => ({ call: callFor(context), version: context.state.callsVersion }),
    calls: (context) => [callOf(context)],
    execute(context) {
      const call = callOf(context);
      if (context.isFixed) call.run();
      else call.run(valuesOf(context));
    },
  });
}
