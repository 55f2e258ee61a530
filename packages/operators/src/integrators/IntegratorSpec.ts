import type {
  BlockSpec,
  Grid,
  ParticleTypes,
  SlotSpecs,
  SlotValues,
  ValidationContext,
} from '@corpuscle/core';
import type {
  CellFunctor,
  ExecutionContext,
  ParticleAdaptations,
  ReduceFunctor,
  ValueFunctor,
  ValueReference,
} from '@corpuscle/patterns';

/** Values of the slots of a phase, `dt` among them. */
export type PhaseSlots<S extends SlotSpecs> = SlotValues<S> & TimeStep;

/** What the slots of every phase have, in internal units. */
export interface TimeStep {
  readonly dt: number;
}

/** What an integrator is used on. */
export interface IntegratorSetup {
  readonly grid: Grid;
  readonly ctx: ExecutionContext;
  readonly particleTypes: ParticleTypes;
  /** Boltzmann's constant in internal units. */
  readonly boltzmann: number;
  /** The group it acts on: `all`, or the name of one. */
  readonly group: string;
  /** What restricts calls to the group. */
  readonly selection: ParticleAdaptations;
  /** Degrees of freedom that its N particles lack of 3N: see `removedDegrees`. */
  readonly removedDegrees: number;
  /** The seed of the simulation. */
  readonly seed: number;
  /** Its own stream of random numbers: no other use of an integrator draws from it. */
  readonly stream: number;
  /** The step at which the run began, and the one at which it ends. */
  readonly firstStep: number;
  readonly lastStep: number;
  /** Whether the conserved quantity is asked for. */
  readonly accountsEnergy: boolean;
  /** Physical time, before the step that is made now. */
  readonly time: number;
}

/** What the parameters of a phase are made from, besides slots. */
export interface IntegratorRun extends IntegratorSetup {
  /** One of the values of this use of the integrator, for a parameter. */
  value(name: string): ValueReference;
}

/** Parameters of a phase: numbers and tables, or numbers of values. */
export type PhaseParams = Readonly<Record<string, number | ArrayLike<number> | ValueReference>>;

/** What a phase calls. */
// biome-ignore lint/suspicious/noExplicitAny: functors of any fields, results and parameters
export type PhaseFunctor = CellFunctor<any, any> | ReduceFunctor<any, any> | ValueFunctor<any, any>;

/**
 * A part of a step, of slots with values `P`. It becomes an operator. Its functor is called
 *
 *   cellFunctor     for every particle
 *   reduceFunctor   for every particle; results go into the values of their names
 *   valueFunctor    once, on the values of its names
 */
export interface IntegratorPhase<P = TimeStep> {
  /** Its operator's name. Default: the integrator's, and the number of the phase, from 1. */
  readonly name?: string;
  /** One sentence for `corpuscle operators`. */
  readonly doc: string;
  /** A functor, or one that depends on slots and on what it is used on. */
  readonly functor: PhaseFunctor | ((slots: P, setup: IntegratorSetup) => PhaseFunctor);
  /**
   * Whether its functor takes the present box: lattice vectors by rows, `mxx` … `mzz`, and the inverse, `ixx` … `izz`, which has nothing
   * along open axes. Default false.
   */
  readonly inBox?: boolean;
  /** Its other parameters; quantities of slots are in internal units. */
  readonly params?: (slots: P, run: IntegratorRun) => PhaseParams;
}

/** An integrator or thermostat as its author writes it. */
export interface IntegratorSpec<S extends SlotSpecs> {
  /** snake_case. */
  readonly name: string;
  readonly doc: string;
  /** What it takes beside `dt`, the time step, which all have. */
  readonly slots?: S;
  /**
   * Numbers that live where the step is computed, and their first values. Phases compute with them and take them as
   * parameters. Nothing of them travels to the host in a step; checkpoints hold them.
   */
  readonly values?: (
    slots: PhaseSlots<NoInfer<S>>,
    setup: IntegratorSetup,
  ) => Readonly<Record<string, number>>;
  /** Fields of particles that it adds to those of every grid; 0 at first, and for particles that come later. */
  readonly fields?: readonly BlockSpec[];
  /** Phases that are made once, before the first step of a run. */
  readonly begin?: readonly IntegratorPhase<PhaseSlots<NoInfer<S>>>[];
  /**
   * What a step does, in order. At `'forces'` lists are updated and forces computed at the present positions. With `'lists'`
   * before it lists are updated there; a phase in between is made apart from calls over particles, which stay one kernel. A
   * thermostat has `'step'` instead: there another integrator moves the particles, velocity Verlet where none is named.
   */
  readonly phases: readonly (
    | IntegratorPhase<PhaseSlots<NoInfer<S>>>
    | 'lists'
    | 'forces'
    | 'step'
  )[];
  /**
   * Of a thermostat: it acts at the ends of so many steps only, for all of them at once. Its phases take that many time steps as one.
   * Default: of every step.
   */
  readonly every?: (slots: PhaseSlots<NoInfer<S>>) => number;
  /** One of the values: the energy that has left the particles since the beginning, for the conserved quantity. */
  readonly bath?: string;
  /**
   * The physical time by its values, of an integrator that chooses its time steps. Nothing that needs a constant time step, such as
   * a thermostat, can stand in its list.
   */
  readonly time?: (
    values: Readonly<Record<string, number>>,
    slots: PhaseSlots<NoInfer<S>>,
  ) => number;
  /** The longest of these time steps, where one is known. A run to an `end_time` then looks at the time less often. */
  readonly longestStep?: (slots: PhaseSlots<NoInfer<S>>) => number;
  /**
   * Its functors add the energy that they give to a particle to its field `bath_heat`, where `setup.accountsEnergy`. Default false.
   */
  readonly countsHeat?: boolean;
  /**
   * Whether it keeps the temperature, as a thermostat: particles that have none are refused before the first step, and barostats that need
   * one find it. Default false.
   */
  readonly keepsTemperature?: boolean;
  /** Whether it changes the total momentum, as noise does. Default false. */
  readonly changesMomentum?: boolean;
  /** Where it works on the particles of one rank as well as on all: see `OperatorSpec`. Its functors and parameters look at no others. */
  readonly ranks?: 'cpu' | 'cards';
  /** Checks what slot types cannot say. */
  readonly validate?: (context: ValidationContext<S>) => void;
}
