import {
  defineOperator,
  type OperatorContext,
  type OperatorDefinition,
  randomStream,
  type SimulationState,
  type SlotSpecs,
  stateKey,
} from '@corpuscle/core';
import { ValueReference } from '@corpuscle/patterns';
import { contextOf, gridKey, planKey, type RunPlan } from '../run/stateKeys.js';
import { timeStep } from '../run/timeStep.js';
import { earlierGroupSlot, groupOptions } from '../sets/group/Groups.js';
import { accountsEnergy } from '../thermostats/heat.js';
import { constraintsOf, removedDegrees } from './degreesOfFreedom.js';
import type {
  IntegratorPhase,
  IntegratorSetup,
  IntegratorSpec,
  PhaseSlots,
} from './IntegratorSpec.js';
import { IntegratorUse, type PhaseCalls } from './IntegratorUse.js';
import { hasTurn, type Side, turnsUntil } from './turns.js';

/** Slots that all phases have. */
const common = {
  dt: timeStep,
  ...earlierGroupSlot,
  use: {
    type: 'integer',
    direction: 'private',
    min: 0,
    default: 0,
    doc: 'phases with the same number belong together and share their values',
  },
} as const satisfies SlotSpecs;

/** A use of an integrator in a simulation. */
interface SharedUse {
  readonly use: IntegratorUse;
  /** The run that it has begun, if it has. */
  begun: RunPlan | 'no run' | null;
}

/** The uses of integrators by name and number. */
export const usesKey = stateKey<Map<string, SharedUse>>(
  'integrators',
  'they exist as soon as one is prepared',
);

/** Whether it changes the energy, and nothing tells by how much. */
export const isAccountless = (
  spec: Pick<IntegratorSpec<SlotSpecs>, 'changesMomentum' | 'bath' | 'countsHeat'>,
) => spec.changesMomentum && !spec.bath && !spec.countsHeat;

/** What a phase keeps. */
interface Phase {
  readonly shared: SharedUse;
  /** Whether it made the use: then it saves it, and gives it back. */
  readonly isOwner: boolean;
  calls: PhaseCalls;
  /** What the calls were made from: see `SimulationState.renewCalls`. */
  version: number;
}

type Context = OperatorContext<SlotSpecs, Phase>;

/** The operator of a phase of an integrator. @param side where a phase of a thermostat stands */
export function phaseOperator<S extends SlotSpecs>(
  name: string,
  integrator: IntegratorSpec<S>,
  phase: IntegratorPhase<PhaseSlots<S>>,
  side: Side = 'before',
): OperatorDefinition {
  // Slots are those of the spec, so that their types hold by construction.
  const spec = integrator as unknown as IntegratorSpec<SlotSpecs>;
  const part = phase as unknown as IntegratorPhase<PhaseSlots<SlotSpecs>>;
  const slotsOf = (context: Pick<Context, 'slots'>) => context.slots as PhaseSlots<SlotSpecs>;
  const acts = (context: Context): boolean =>
    !spec.every || hasTurn(side, context.state.step, spec.every(slotsOf(context)));
  const callsOf = (context: Context): PhaseCalls => {
    const { own, state } = context;
    if (own.version !== state.callsVersion) {
      own.calls.call.close();
      own.calls = own.shared.use.prepare(part, slotsOf(context), setupOf(spec, context));
      own.version = state.callsVersion;
    }
    return own.calls;
  };
  return defineOperator<SlotSpecs, Phase>({
    name: phase.name ?? name,
    doc: phase.doc,
    slots: { ...common, ...integrator.slots },
    requires: [gridKey],
    functors: profiled(part.functor),
    changesVelocities: true,
    ...(spec.changesMomentum && { changesMomentum: true }),
    ...(spec.keepsTemperature && { keepsTemperature: true }),
    ...(isAccountless(spec) && { keepsNoAccount: spec.name }),
    ...(spec.ranks && { ranks: spec.ranks }),
    ...(spec.validate && { validate: spec.validate }),
    prepare(context) {
      const { state } = context;
      const slots = slotsOf(context);
      const setup = setupOf(spec, context);
      const uses = state.obtain(usesKey, () => new Map<string, SharedUse>());
      const key = keyOf(spec, context);
      const known = uses.get(key);
      const shared = known ?? { use: new IntegratorUse(spec, slots, setup), begun: null };
      uses.set(key, shared);
      const calls = shared.use.prepare(part, slots, setup);
      return { shared, isOwner: !known, calls, version: state.callsVersion };
    },
    calls(context) {
      if (!acts(context)) return [];
      const { before, call } = callsOf(context);
      return [...before, call];
    },
    ...(spec.every && {
      variant: (context: Context) => (acts(context) ? 1 : 0),
      steadyUntil: (context: Context) =>
        turnsUntil(side, context.state.step, spec.every!(slotsOf(context))),
    }),
    execute(context) {
      const { own, state } = context;
      const { shared } = own;
      const { before, call, isCurrent } = callsOf(context);
      const plan = state.find(planKey) ?? 'no run';
      if (shared.begun !== plan) {
        shared.begun = plan;
        shared.use.begin(slotsOf(context), setupOf(spec, context));
      }
      if (!acts(context)) return;
      for (const one of before) one.run();
      if (context.isFixed && isCurrent()) call.run();
      else call.run(numbersOf(shared.use.paramsOf(part, slotsOf(context), setupOf(spec, context))));
    },
    async save({ own }) {
      const { values } = own.shared.use;
      return own.isOwner && values ? { ...(await values.read()) } : {};
    },
    restore({ own, state }, saved) {
      own.shared.begun = state.find(planKey) ?? 'no run';
      if (own.isOwner) own.shared.use.values?.write(saved as Record<string, number>);
    },
    dispose({ own }) {
      own.calls.call.close();
      if (own.isOwner) own.shared.use.close();
    },
  });
}

/** Values have no place among the functors of profiles: they are computed wherever the run is. */
const profiled = (functor: IntegratorPhase<never>['functor']) =>
  typeof functor === 'function' || 'cell' in functor ? [] : [functor];

const keyOf = ({ name }: IntegratorSpec<SlotSpecs>, { slots }: Pick<Context, 'slots'>): string =>
  `${name} ${String(slots.use)}`;

function setupOf(
  spec: IntegratorSpec<SlotSpecs>,
  context: Pick<Context, 'slots' | 'state'>,
): IntegratorSetup {
  const { state } = context;
  const { configuration, particleTypes } = state.simulation;
  const grid = state.get(gridKey);
  const plan = state.find(planKey);
  const group = context.slots.group as string;
  return {
    grid,
    ctx: contextOf(state),
    particleTypes,
    boltzmann: configuration.units.boltzmann,
    group,
    selection: groupOptions(state, group),
    // The momentum of a part of the particles is not constant.
    removedDegrees:
      group === 'all' ? removedDegrees(constraintsOf(state.simulation), grid.total) : 0,
    seed: configuration.seed,
    stream: randomStream(keyOf(spec, context)),
    ...stepsOf(state, plan),
    time: state.time,
    accountsEnergy: accountsEnergy(state.simulation),
  };
}

const stepsOf = ({ step }: SimulationState, plan: RunPlan | undefined) => ({
  firstStep: plan?.firstStep ?? step,
  lastStep: plan?.endStep ?? step,
});

/** Parameters that a run of a call may be given: those of values are bound. */
function numbersOf(params: object | undefined): object | undefined {
  return (
    params &&
    Object.fromEntries(
      Object.entries(params).filter(([, value]) => !(value instanceof ValueReference)),
    )
  );
}
