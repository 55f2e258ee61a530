import type { ErrorCode, SourceLocation } from '@corpuscle/functor/error';
import type { Saved } from '../checkpoint/Saved.js';
import type { Domain } from '../domain/Domain.js';
import { noteDefinition } from './definedAt.js';
import type { SavedRun } from './run/SavedRun.js';
import type { ScheduleSpec } from './ScheduleSpec.js';
import type { LoadContext } from './Simulation.js';
import type { SimulationState } from './SimulationState.js';
import type { OutputName, OutputValue, SlotSpecs, SlotValues } from './SlotSpec.js';
import type { StateKeeper } from './StateKeeper.js';
import type { StateKey } from './StateKey.js';
import type { StepCall } from './StepCall.js';

/** What an operator sees when it runs. One object per place in the graph, the same at every call. */
export interface OperatorContext<S extends SlotSpecs = SlotSpecs, P = unknown> {
  /** Values of the slots, converted and checked; connected ones are read at each access. */
  readonly slots: SlotValues<S>;
  /** What `prepare` returned for this place in the graph. */
  readonly own: P;
  readonly state: SimulationState;
  /** Where the user wrote this operator. */
  readonly location: SourceLocation | undefined;
  /** Whether slots keep their values during the run: none is connected to what another operator makes. */
  readonly isFixed: boolean;
  /** Writes an output slot. */
  set<K extends OutputName<S>>(name: K, value: OutputValue<S, K>): void;
  /** Whether a loop is around this call. */
  isLooping(): boolean;
  /** Leaves the innermost loop at once: the rest of the pass is not executed. Needs `endsLoop: true`. */
  stopLoop(): void;
  /**
   * Asks for one more pass of what follows this operator: of the batch it is in, or of the one around it where nothing
   * follows inside. Needs `endsLoop: true`.
   */
  repeatBatch(): void;
  /** Everything that a run needs to go on after this operator, by its `keeper`; for the operator that writes checkpoints. */
  saveRun(): Promise<SavedRun>;
}

/** What `validate` sees: values that are known before the run (connected outputs are absent). */
export interface ValidationContext<S extends SlotSpecs = SlotSpecs> extends LoadContext {
  readonly slots: Partial<SlotValues<S>>;
  /**
   * Ends loading with an error at the value that `path` names: `'rcut'`, `'pairs.0.types'`, or '' for the operator.
   */
  fail(path: string, code: ErrorCode, message: string): never;
}

/** A functor of @corpuscle/patterns, of which this package knows the name. */
export interface NamedFunctor {
  readonly name: string;
}

/** An operator as its author writes it. */
export interface OperatorSpec<S extends SlotSpecs, P, V extends Saved = Saved>
  extends ScheduleSpec<S> {
  /** Name in YAML, snake_case. */
  readonly name: string;
  /** Older names, which files may still use. */
  readonly aliases?: readonly string[];
  /** What it does, one or more sentences for `corpuscle operators NAME`. */
  readonly doc: string;
  readonly slots: S;
  /**
   * A slot of type `object`. Keys that are no slots are outputs of their own then, given as expressions, and this slot holds these
   * by their names: `Readonly<Record<string, SlotExpression>>`. An output that is there already, or a global, is written anew.
   */
  readonly namedOutputs?: keyof S & string;
  /** State entries that an earlier operator must have provided; checked before anything runs. */
  readonly requires?: readonly StateKey<unknown>[];
  /** State entries that exist after it has run. */
  readonly provides?: readonly StateKey<unknown>[];
  /**
   * Fields of particles, or blocks of them, that it writes, where it changes nothing else but its outputs and what it `provides`:
   * none for one that only looks. In a batch with `parallel: true` it may then run beside others. Absent, or undefined: anything.
   */
  readonly writes?:
    | readonly string[]
    | ((slots: Partial<SlotValues<S>>) => readonly string[] | undefined);
  /** Fields that it reads, of an operator that says what it writes. Absent, or undefined: any. */
  readonly reads?:
    | readonly string[]
    | ((slots: Partial<SlotValues<S>>) => readonly string[] | undefined);
  /**
   * What it does to the box of the particles, for checks before a run: it keeps it, or makes this one, null where only a run knows. One
   * that is `hostOnly`, or says what it `writes`, keeps it too. Absent: any other box may be there afterward.
   */
  readonly box?: 'kept' | ((slots: Partial<SlotValues<S>>) => Domain | null);
  /** Refuses a box that it cannot work in, as `prepare` would: it throws before a run where files say the box, and the box stays one of its kind. */
  readonly checkBox?: (slots: Partial<SlotValues<S>>, domain: Domain) => void;
  /**
   * The lengths (`xx` …) and tilts (`xy` …) of the box that it moves in steps, as barostats do: two operators that move the same are
   * refused before a run.
   */
  readonly movesBox?: (slots: Partial<SlotValues<S>>) => readonly string[];
  /**
   * What of it needs time steps of one length, as messages name it; undefined where nothing does. Beside an integrator that chooses its
   * time steps it is refused before a run.
   */
  readonly needsEvenSteps?: (slots: Partial<SlotValues<S>>) => string | undefined;
  /**
   * It reads unwrapped positions from where particles were placed, at whatever step it begins, always or with some slots: image flags
   * are counted from there.
   */
  readonly unwraps?: boolean | ((slots: Partial<SlotValues<S>>) => boolean);
  /** It may call `stopLoop` or `repeatBatch`. */
  readonly endsLoop?: boolean;
  /**
   * How far it looks for neighbors, in internal units, where no slot `rcut` or `pairs` says so: of potentials in files,
   * say. Runs when the particles are there.
   */
  readonly reach?: (slots: Partial<SlotValues<S>>, load: LoadContext) => number;
  /** Checks what slot types cannot say; runs at load time, must not touch files or devices. */
  readonly validate?: (context: ValidationContext<S>) => void;
  /**
   * Makes what this place in the graph keeps between calls; runs once. Operators of a loop are prepared when the loop is
   * entered, in their order, as soon as the state entries they require exist and connected slots have values; all others
   * right before their first `execute`.
   */
  readonly prepare?: (context: OperatorContext<S>) => P | Promise<P>;
  /** What it does. The run waits for a promise, or for the handle of a pattern, that it returns. */
  readonly execute: (context: OperatorContext<S, P>) => void | PromiseLike<unknown>;
  /**
   * Of one that is `hostOnly`: what so many executions do, one a pass, that follow each other in passes in which nothing else is due.
   * The bits are the same, and its outputs stay as they are. A loop takes such passes as one.
   */
  readonly executeMany?: (context: OperatorContext<S, P>, times: number) => void | Promise<void>;
  /**
   * The prepared calls that are all that `execute` does; null where it does more. The calls of such operators that follow each
   * other are made as one fused step. They are asked for once for each set of needs (`state.isNeeded`) and `variant`, again after
   * `state.renewCalls()`, and only where `isFixed`. Operators without it may look at the box: a device that deforms it is asked first.
   */
  readonly calls?: (context: OperatorContext<S, P>) => readonly StepCall[] | null;
  /** Which of up to three lists of `calls` it makes in this step, such as one with a barostat and one without. Default: always 0. */
  readonly variant?: (context: OperatorContext<S, P>) => 0 | 1 | 2;
  /** Whether it does more than its `calls` in this step, such as writing: then it is executed. Default: never. */
  readonly doesMore?: (context: OperatorContext<S, P>) => boolean;
  /**
   * The first step after this one in which `variant`, `doesMore`, `hostOnly`, or `needs` may say something else than in this one. Default,
   * where one of them is a function: the next one.
   */
  readonly steadyUntil?: (context: OperatorContext<S, P>) => number;
  /** It changes the total momentum of the particles at random, as noise does: temperatures count 3N degrees of freedom, not 3N − 3. */
  readonly changesMomentum?: boolean;
  /**
   * It changes velocities or masses of particles otherwise than by forces, as thermostats do: barostats measure them again after it, or in
   * every step where it has `calls`. One that says what it `writes` need not say it.
   */
  readonly changesVelocities?: boolean | ((slots: Partial<SlotValues<S>>) => boolean);
  /** It keeps the temperature of the particles, as thermostats do: barostats that need one beside them look for it. */
  readonly keepsTemperature?: boolean;
  /** It changes the energy and keeps no account of that: the name that a file gives it. Reading a file refuses a conserved quantity beside it. */
  readonly keepsNoAccount?: string;
  /** Of an integrator that drifts several times in a step: it is the first of these drifts, or comes after the last. */
  readonly drifts?: 'begin' | 'end';
  /** It neither reads nor writes particles, always or in this step: calls of operators before it may be made after it. */
  readonly hostOnly?: boolean | ((context: OperatorContext<S, P>) => boolean);
  /**
   * It works on the particles of one rank as well as on all: ranks that compute on CPUs may share its particles, or ranks with a card
   * each too. Absent: it would take those of a rank for all, and is refused there.
   */
  readonly ranks?: 'cpu' | 'cards';
  /**
   * The functors it hands to patterns, by what the user asked for where that matters; profiles tell where each ran, and why.
   */
  readonly functors?:
    | readonly NamedFunctor[]
    | ((slots: Partial<SlotValues<S>>) => readonly NamedFunctor[]);
  /**
   * What this place in the graph keeps from call to call, for a checkpoint: numbers, texts, plain objects, typed arrays. Results
   * that are still on their way must be waited for. An operator that keeps nothing needs neither this nor `restore`.
   */
  readonly save?: (context: OperatorContext<S, P>) => V | Promise<V>;
  /**
   * A run goes on: takes back what `save` gave, after `prepare`. An operator that ran before the checkpoint is not executed
   * again, unless it provides an entry of the state and has no `restore`, or says that it `executesOnResume`.
   */
  readonly restore?: (context: OperatorContext<S, P>, saved: V) => void | Promise<void>;
  /** It is executed before its `restore`, as forces are that keep something: the account of forces has their terms again. */
  readonly executesOnResume?: boolean;
  /** Of the operator that writes checkpoints: how they hold what operators share. */
  readonly keeper?: StateKeeper;
  /** Runs once after a completed or interrupted run, if the operator has been executed: last lines, summaries. */
  readonly finish?: (context: OperatorContext<S, P>) => void | Promise<void>;
  /** Runs at the very end in any case, if `prepare` has succeeded: gives resources back. */
  readonly dispose?: (context: OperatorContext<S, P>) => void | Promise<void>;
}

/** An operator with its slot types erased, as registries and graphs hold it. */
export type OperatorDefinition = OperatorSpec<SlotSpecs, unknown>;

/**
 * Declares an operator. The types of `slots` follow from their specs.
 *
 * @example
 * export const scaleVelocities = defineOperator({
 *   name: 'scale_velocities',
 *   doc: 'Multiplies every velocity by a factor.',
 *   slots: { factor: { type: 'number', above: 0, required: true, doc: 'the factor' } },
 *   requires: [gridKey],
 *   async execute({ slots, state }) {
 *     await computeCellParticles(state.get(gridKey), scale, contextOf(state), { params: { k: slots.factor } });
 *   },
 * });
 */
export function defineOperator<const S extends SlotSpecs, P = undefined, V extends Saved = Saved>(
  spec: OperatorSpec<S, P, V>,
): OperatorDefinition {
  noteDefinition(spec, defineOperator);
  // The loader builds `slots` and `own` from this very spec, so the erased types hold by construction.
  return spec as unknown as OperatorDefinition;
}
