import { CorpuscleError } from '@corpuscle/functor/error';
import type { Composite } from './Composite.js';
import { checkDefinition } from './checkDefinition.js';
import { checkSlotSpecs } from './checkSlotSpecs.js';
import { atDefinition } from './definedAt.js';
import type { OperatorDefinition } from './defineOperator.js';
import type { OperatorReference } from './OperatorReference.js';
import { checkTiming } from './run/OperatorTiming.js';
import type { Simulation, SimulationWarning } from './Simulation.js';

/** A named batch that a simulation refers to and the user's file redefines, such as `compute_force`. */
export interface Hook {
  readonly name: string;
  readonly doc: string;
  /** An undefined required hook is an error where it is used; an optional one is an empty batch. */
  readonly required?: boolean;
  /** It runs at the end of an interrupted run too, if the run has come to its loop. */
  readonly isEpilog?: boolean;
  /** Batches of default documents leave it out where it has run before. */
  readonly runsOnce?: boolean;
}

/** Looks for mistakes that show only in a whole simulation, such as a cutoff that the box is too thin for. Nothing has run. */
export type SimulationCheck = (simulation: Simulation) => readonly CorpuscleError[];

/** Looks for what is no mistake in a whole simulation but hardly meant. Nothing has run. */
export type SimulationAdvice = (simulation: Simulation) => readonly SimulationWarning[];

/** Operators that belong together, such as the phases of an integrator. */
export interface OperatorBundle {
  readonly name: string;
  readonly operators: readonly OperatorDefinition[];
  /** YAML with batches that use them; a file may redefine these. */
  readonly defaults?: string;
  /** Names that stand for several of them. */
  readonly composites?: readonly Composite[];
}

/**
 * What YAML files can name: operators, hooks, and documents of default batches.
 *
 * Default documents are merged before the user's files, so that the user's keys win. `molecular_dynamics` is such a
 * batch; its parts are named batches or hooks, and a file changes the scheme by redefining one of them:
 *
 * ```yaml
 * molecular_dynamics:            # in the default document of @corpuscle/operators
 *   - setup_system               # hook, required: lattice, read_extended_xyz, init_temperature …
 *   - begin_run                  # operator: checks particles and cutoffs, outputs `continue` (step < end_iteration)
 *   - update_forces              # named batch: neighbors, zero, compute_force
 *   - output                     # named batch: thermo …
 *   - { loop: true, condition: continue, body: [numerical_scheme, output] }
 *   - simulation_epilog          # hook
 * update_forces: [zero_force, compute_force]
 * numerical_scheme: velocity_verlet            # composite: the operators of a step
 * output: [{ rebind: { frequency: thermo_frequency }, body: [{ thermo: { file: thermo.csv } }] }]
 * ```
 *
 * `global.dt`, `global.rcut_inc`, `global.end_iteration` reach operators as input slots `dt`, `rcut_inc`, `end_iteration`;
 * `rebind: { frequency: thermo_frequency }` feeds the inner slot `frequency` from the outer name `thermo_frequency`.
 */
export class Registry {
  #operators = new Map<string, OperatorDefinition>();
  #aliases = new Map<string, OperatorDefinition>();
  #builtIn = new Set<string>();
  /** Operators that composites write, by name: the bundle they come with. */
  #parts = new Map<string, string>();
  #hooks = new Map<string, Hook>();
  #composites = new Map<string, Composite>();
  #references = new Map<string, OperatorReference>();
  #documents: { name: string; text: string }[] = [];
  #checks: SimulationCheck[] = [];
  #advice: SimulationAdvice[] = [];

  /**
   * Adds operators.
   * @throws CorpuscleError INVALID_VALUE when a name is taken or is not snake_case, a slot has no type or dimension, `every` or
   *   `from` names no slot, or `needs` something unknown.
   */
  add(...operators: readonly OperatorDefinition[]): this {
    for (const operator of operators) {
      try {
        this.#check(operator);
      } catch (error) {
        throw atDefinition(error, operator);
      }
      this.#operators.set(operator.name, operator);
      for (const alias of operator.aliases ?? []) this.#aliases.set(alias, operator);
    }
    return this;
  }

  /** Says that the operators so far come with a package: what they throw unforeseen is a defect of ours. */
  markBuiltIn(): this {
    for (const name of this.#operators.keys()) this.#builtIn.add(name);
    return this;
  }

  /** Whether an operator comes with a package. */
  isBuiltIn(name: string): boolean {
    return this.#builtIn.has(name);
  }

  /** The composite that an operator is a part of, which files name in its place. */
  partOf(name: string): string | undefined {
    return this.#parts.get(name);
  }

  /** Adds operators that belong together, and the composites and batches that use them. @throws as `add`. */
  addBundle({ name, operators, composites = [], defaults }: OperatorBundle): this {
    this.add(...operators).addComposite(...composites);
    if (composites.length > 0) for (const part of operators) this.#parts.set(part.name, name);
    return defaults === undefined ? this : this.addDefaults(name, defaults);
  }

  /** Adds names that stand for several operators. @throws CorpuscleError INVALID_VALUE when a name is taken or is not snake_case. */
  addComposite(...composites: readonly Composite[]): this {
    for (const composite of composites) {
      this.#claim(composite.name);
      this.#composites.set(composite.name, composite);
    }
    return this;
  }

  /** Adds hooks. @throws CorpuscleError INVALID_VALUE when a name is taken or is not snake_case. */
  addHook(...hooks: readonly Hook[]): this {
    for (const hook of hooks) {
      this.#claim(hook.name);
      this.#hooks.set(hook.name, hook);
    }
    return this;
  }

  /**
   * Adds theory, literature and examples of operators and composites, by their names.
   * @throws CorpuscleError INTERNAL for a name that is not there.
   */
  addReferences(references: Readonly<Record<string, OperatorReference>>): this {
    for (const [name, reference] of Object.entries(references)) {
      if (!this.operator(name) && !this.composite(name))
        throw new CorpuscleError('INTERNAL', `there is no operator '${name}' to tell of`);
      this.#references.set(name, reference);
    }
    return this;
  }

  /** Adds a YAML document of default batches and blocks; `name` stands for the file in messages. */
  addDefaults(name: string, text: string): this {
    this.#documents.push({ name, text });
    return this;
  }

  /** Adds a look at whole simulations, made when one is loaded. */
  addCheck(check: SimulationCheck): this {
    this.#checks.push(check);
    return this;
  }

  /** Adds a look at whole simulations that warns, made when one is loaded. */
  addAdvice(advice: SimulationAdvice): this {
    this.#advice.push(advice);
    return this;
  }

  /** Looks that warn. */
  get advice(): readonly SimulationAdvice[] {
    return this.#advice;
  }

  /** Looks at whole simulations. */
  get checks(): readonly SimulationCheck[] {
    return this.#checks;
  }

  /** The operator of a name or alias, or undefined. */
  operator(name: string): OperatorDefinition | undefined {
    return this.#operators.get(name) ?? this.#aliases.get(name);
  }
  /** The hook of a name, or undefined. */
  hook(name: string): Hook | undefined {
    return this.#hooks.get(name);
  }
  /** The composite of a name, or undefined. */
  composite(name: string): Composite | undefined {
    return this.#composites.get(name);
  }
  /** Theory, literature and example of an operator or composite, or undefined. */
  reference(name: string): OperatorReference | undefined {
    return this.#references.get(name);
  }
  /** All composites, sorted by name. */
  get composites(): readonly Composite[] {
    return [...this.#composites.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  /** All operators, sorted by name. */
  get operators(): readonly OperatorDefinition[] {
    return [...this.#operators.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  /** All hooks, in the order in which they were added. */
  get hooks(): readonly Hook[] {
    return [...this.#hooks.values()];
  }
  /** The default documents, in the order in which they were added. */
  get defaults(): readonly { readonly name: string; readonly text: string }[] {
    return this.#documents;
  }

  #check(operator: OperatorDefinition): void {
    checkDefinition(operator);
    for (const name of [operator.name, ...(operator.aliases ?? [])]) this.#claim(name);
    checkSlotSpecs(operator.name, operator.slots);
    checkTiming(operator.name, operator, operator.slots);
  }

  #claim(name: string): void {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      throw new CorpuscleError('INVALID_VALUE', `'${name}' is no operator name: use snake_case`);
    }
    if (this.operator(name) || this.#hooks.has(name) || this.#composites.has(name)) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the name '${name}' is registered twice: give an operator of your own another one`,
      );
    }
  }
}
