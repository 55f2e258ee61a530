import { CorpuscleError, type SlotSpecs } from '@corpuscle/core';
import {
  type ContextValue,
  combined,
  type PatternHandle,
  type PreparedCall,
  prepareCellParticles,
  prepareReduction,
  prepareValues,
} from '@corpuscle/patterns';
import { everyBoxParam, presentBox } from '../box/presentBox.js';
import { referencesOf } from '../run/contextValues.js';
import { heatBlock } from '../thermostats/heat.js';
import { isPhaseFunctor, noFunctor } from './checkIntegrator.js';
import { requireTemperature } from './degreesOfFreedom.js';
import type {
  IntegratorPhase,
  IntegratorSetup,
  IntegratorSpec,
  PhaseFunctor,
  PhaseParams,
  PhaseSlots,
} from './IntegratorSpec.js';

// biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
export type PhaseCall = PreparedCall<any, unknown>;

/** What a phase does in a step. */
export interface PhaseCalls {
  /** Others that tell what it takes; they are shared. */
  readonly before: readonly PreparedCall[];
  readonly call: PhaseCall;
  /** Whether what was bound is still true. */
  isCurrent(): boolean;
}

/** The functor of a phase. */
function functorOf<S extends SlotSpecs>(
  { functor, name, doc }: IntegratorPhase<PhaseSlots<S>>,
  slots: PhaseSlots<S>,
  setup: IntegratorSetup,
): PhaseFunctor {
  const made = typeof functor === 'function' ? functor(slots, setup) : functor;
  if (!isPhaseFunctor(made)) throw noFunctor(`the phase '${name ?? doc}'`);
  return made;
}

/** One use of an integrator: its values, and the calls of its phases. */
export class IntegratorUse<S extends SlotSpecs = SlotSpecs> {
  readonly spec: IntegratorSpec<S>;
  /** Its numbers; null where it has none. */
  readonly values: ContextValue | null;
  readonly #slots: PhaseSlots<S>;

  constructor(spec: IntegratorSpec<S>, slots: PhaseSlots<S>, setup: IntegratorSetup) {
    this.spec = spec;
    this.#slots = slots;
    if (spec.keepsTemperature)
      requireTemperature(spec.name, { total: setup.grid.total, removed: setup.removedDegrees });
    if (spec.countsHeat && setup.accountsEnergy) setup.grid.addBlock(heatBlock);
    for (const block of spec.fields ?? []) setup.grid.addBlock(block);
    this.values = spec.values ? setup.ctx.value({ ...spec.values(slots, setup) }) : null;
  }

  /** The physical time after the calls so far; null where all time steps are the same. */
  get time(): PatternHandle<number> | null {
    const { time } = this.spec;
    return time ? combined([this.#values.read()], ([values]) => time(values!, this.#slots)) : null;
  }

  /** The longest time step that it may choose; null where none is known. */
  get longestStep(): number | null {
    return this.spec.longestStep?.(this.#slots) ?? null;
  }

  /** Prepares the calls of a phase. */
  prepare(
    phase: IntegratorPhase<PhaseSlots<S>>,
    slots: PhaseSlots<S>,
    setup: IntegratorSetup,
  ): PhaseCalls {
    const box = phase.inBox ? presentBox(setup.grid, everyBoxParam) : null;
    return {
      before: box?.calls ?? [],
      call: this.#prepare(phase, slots, setup),
      isCurrent: () => box?.isCurrent() ?? true,
    };
  }

  #prepare(
    phase: IntegratorPhase<PhaseSlots<S>>,
    slots: PhaseSlots<S>,
    setup: IntegratorSetup,
  ): PhaseCall {
    const functor = functorOf(phase, slots, setup);
    const { grid, ctx, selection } = setup;
    const params = this.paramsOf(phase, slots, setup);
    const given = params ? { params } : {};
    if ('cell' in functor) {
      const values = referencesOf(this.#values, Object.keys(functor.values));
      return prepareValues(functor, ctx, { values, ...given });
    }
    const options = { ...given, ...selection };
    if (functor.kind === 'reduce')
      return prepareReduction(grid, functor, {}, ctx, { into: this.#values, ...options });
    return prepareCellParticles(grid, functor, ctx, options);
  }

  /** The parameters of a phase as slots are now. */
  paramsOf(
    { params, inBox }: IntegratorPhase<PhaseSlots<S>>,
    slots: PhaseSlots<S>,
    setup: IntegratorSetup,
  ): PhaseParams | undefined {
    const own = params?.(slots, { ...setup, value: (name) => this.#values.of(name) });
    return inBox ? { ...own, ...presentBox(setup.grid, everyBoxParam).params } : own;
  }

  /** Makes the calls before the first step of a run. */
  begin(slots: PhaseSlots<S>, setup: IntegratorSetup): void {
    for (const phase of this.spec.begin ?? []) {
      const { before, call } = this.prepare(phase, slots, setup);
      for (const one of [...before, call]) one.run();
      call.close();
    }
  }

  /** Gives its values back. */
  close(): void {
    this.values?.close();
  }

  get #values(): ContextValue {
    if (this.values) return this.values;
    throw new CorpuscleError(
      'MISSING_VALUE',
      `the integrator '${this.spec.name}' has no values: give their first numbers as values`,
    );
  }
}
