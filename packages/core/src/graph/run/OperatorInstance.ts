import { CorpuscleError, type SourceLocation } from '@corpuscle/functor/error';
import { didYouMean } from '../../error/nearestName.js';
import { changesVelocities } from '../changesVelocities.js';
import type { OperatorContext, OperatorDefinition } from '../defineOperator.js';
import type { OperatorNode, OutputCell, SlotSource } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import type { SlotSpec } from '../SlotSpec.js';
import { operatorFailure } from './operatorFailure.js';
import type { SavedRun } from './SavedRun.js';

const NAMED: Partial<SlotSpec> = { direction: 'output' };

/** What all uses of one place in the text share while a simulation runs. */
export interface PlaceState {
  isCalled: boolean;
  isPrepared: boolean;
  /** Milliseconds that `prepare` took. */
  preparation: number;
  own: unknown;
}

/** What operators ask of the loops around them. */
export interface LoopControl {
  isLooping(): boolean;
  stopLoop(): void;
  repeatBatch(): void;
  saveRun(): Promise<SavedRun>;
}

/** What walks through a part of a graph: the program, or a branch of a parallel batch. */
export interface Strand {
  readonly state: SimulationState;
  readonly loops: LoopControl;
  readonly isBranch: boolean;
}

/** An operator at one point of the graph, ready to be called. */
export class OperatorInstance implements OperatorContext {
  readonly definition: OperatorDefinition;
  readonly name: string;
  readonly slots: Readonly<Record<string, unknown>>;
  readonly state: SimulationState;
  readonly location: SourceLocation | undefined;
  /** Whether it is in a branch of a parallel batch. */
  readonly isBesideOthers: boolean;
  readonly #place: PlaceState;
  /** As in the definition; definitions have different shapes, and to find it in one at every call is slow. */
  readonly #execute: OperatorDefinition['execute'];
  readonly #doesMore: OperatorDefinition['doesMore'];
  /** Whether executions change velocities, and are all that does: `calls` may be made without them. */
  readonly #changesVelocities: boolean;
  /** Names of outputs, and where they live. */
  readonly #names: string[] = [];
  readonly #cells: OutputCell[] = [];
  /** Outputs of other operators that it reads. */
  readonly #inputs: { readonly cell: OutputCell; readonly fallback?: unknown }[] = [];
  readonly #loops: LoopControl;
  readonly #node: OperatorNode;

  constructor(node: OperatorNode, place: PlaceState, { state, loops, isBranch }: Strand) {
    this.definition = node.definition;
    this.name = node.definition.name;
    this.#execute = node.definition.execute;
    this.#doesMore = node.definition.doesMore;
    this.#changesVelocities = !node.definition.calls && changesVelocities(node);
    this.location = node.location;
    this.state = state;
    this.isBesideOthers = isBranch;
    this.#place = place;
    this.#loops = loops;
    this.#node = node;
    this.slots = this.#connect(node.slots);
  }

  get own(): unknown {
    return this.#place.own;
  }

  // Functions, not methods: operators take them out of their context, as in `execute({ slots, set })`.
  readonly set = (name: string, value: unknown): void => {
    const cell = this.#cells[this.#names.indexOf(name)];
    if (!cell)
      throw new CorpuscleError(
        this.#node.isBuiltIn ? 'INTERNAL' : 'INVALID_VALUE',
        `${this.name} has no output '${name}'${didYouMean(String(name), this.#names, "give it a slot with direction: 'output'")}`,
      );
    cell.value = value;
  };
  readonly isLooping = (): boolean => this.#loops.isLooping();
  readonly stopLoop = (): void => {
    this.#refuseUnsaid('stopLoop');
    this.#loops.stopLoop();
  };
  readonly repeatBatch = (): void => {
    this.#refuseUnsaid('repeatBatch');
    this.#loops.repeatBatch();
  };
  readonly saveRun = (): Promise<SavedRun> => this.#loops.saveRun();

  /** Whether it can be prepared now: the state entries it requires exist, and connected slots have values. */
  get isReady(): boolean {
    const { requires = [] } = this.definition;
    return (
      requires.every((key) => this.state.find(key) !== undefined) &&
      this.#inputs.every(({ cell, fallback }) => (cell.value ?? fallback) !== undefined)
    );
  }

  /** Whether its slots keep their values during the run: none is connected to what another operator makes. */
  get isFixed(): boolean {
    return this.#inputs.length === 0;
  }

  /** Whether it does more than its calls in this step. */
  get doesMore(): boolean {
    return this.#doesMore?.call(this.definition, this) ?? false;
  }

  /** Which of its lists of calls it makes in this step. */
  get variant(): 0 | 1 | 2 {
    return this.definition.variant?.(this) ?? 0;
  }

  /** Whether it neither reads nor writes particles in this step. */
  get isHostOnly(): boolean {
    const { hostOnly } = this.definition;
    return typeof hostOnly === 'function' ? hostOnly(this) : hostOnly === true;
  }

  prepare(): void | Promise<void> {
    const made = this.definition.prepare?.(this);
    if (made instanceof Promise) return made.then((own) => this.#keep(own));
    return this.#keep(made);
  }

  #keep(own: unknown): void {
    this.#place.own = own;
    this.#place.isPrepared = true;
  }

  /** Calls the operator; a promise only when it returns one, so that short operators cost no turn of the event loop. */
  execute(): void | Promise<void> {
    if (this.#changesVelocities) this.state.velocitiesChanged = this.state.step;
    const running = this.#execute.call(this.definition, this);
    if (!running || running instanceof Promise) return running;
    return Promise.resolve(running).then(() => {});
  }

  /** The outputs of operators that it writes or reads. */
  get cells(): readonly OutputCell[] {
    return [...this.#cells, ...this.#inputs.map(({ cell }) => cell)];
  }

  /** Names of the batches around it and its own. */
  get path(): string {
    return this.#node.path;
  }

  /** The path that its time counts for. */
  get profiledAs(): string {
    return this.#node.profiledAs ?? this.#node.path;
  }

  /** The backend that the configuration gives it. */
  get backend(): string | undefined {
    return this.#node.backend;
  }

  /** What it threw, with its place in the user's files. */
  readonly locate = (error: unknown): CorpuscleError => operatorFailure(error, this.#node);

  #refuseUnsaid(called: string): void {
    if (this.definition.endsLoop) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${this.name} calls ${called}, which loops must know before: say endsLoop: true in its definition`,
    );
  }

  #connect(sources: ReadonlyMap<string, SlotSource>): Readonly<Record<string, unknown>> {
    const slots: Record<string, unknown> = {};
    for (const [name, source] of sources) {
      if (source.kind !== 'output') {
        slots[name] = source.kind === 'value' ? source.value : undefined;
        continue;
      }
      const { cell, fallback } = source;
      // Outputs that the file names are no slots of the definition.
      const { direction = 'input', required } = this.definition.slots[name] ?? NAMED;
      if (direction !== 'output') this.#inputs.push({ cell, fallback });
      if (direction !== 'input') {
        this.#names.push(name);
        this.#cells.push(cell);
      }
      Object.defineProperty(slots, name, {
        enumerable: true,
        get: () => {
          const value = cell.value ?? fallback;
          if (value !== undefined || !required) return value;
          throw new CorpuscleError(
            'MISSING_VALUE',
            `'${name}' of ${this.name} has no value yet: ${cell.operator}, which makes it, must run before`,
          );
        },
      });
    }
    return slots;
  }
}
