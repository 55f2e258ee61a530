import type { CorpuscleError } from '@corpuscle/functor/error';
import type { SimulationState } from '../SimulationState.js';
import type { FusedStep, StepCall } from '../StepCall.js';
import type { Call } from './frames.js';
import type { OperatorInstance, PlaceState } from './OperatorInstance.js';
import { SharedClock } from './SharedClock.js';

/** Where the calls of a branch of a parallel batch go. */
export interface BranchLane {
  /** The context whose calls go there between `begin` and `end`, and otherwise where those of the program go. */
  readonly context: unknown;
  begin(): void;
  /** Resolves when none of its calls waits any more. */
  end(): Promise<void>;
}

/** A context that wants to know which operator runs, so that it can name it when something fails later. */
export interface OperatorWatcher {
  /** Makes a lane for a branch; null where branches must run in their order. */
  openBranch(name: string): BranchLane | null;
  /** @param locate gives an error of its calls that comes later its place */
  enterOperator(name: string, backend?: string, locate?: (error: unknown) => unknown): void;
  /** Whether processes share the run whose devices exchange messages: what one does together with others comes after these. */
  readonly exchanges: boolean;
  /** Resolves when no call waits for messages; null where none does. */
  exchanged(): Promise<void> | null;
  /** Tells of work that has been ended because it had no end: what the run awaits may never come. */
  onEndless(told: (error: CorpuscleError) => void): void;
}

/**
 * Told the time that a call of an operator took, with its path in the graph; calls that were made as one have no path. Executions that
 * were made as one are `times` calls.
 */
export type OperatorListener = (
  name: string,
  milliseconds: number,
  path: string,
  times: number,
) => void;

type Action = (instance: OperatorInstance) => void | Promise<void>;

const PREPARE: Action = (instance) => instance.prepare();
const EXECUTE: Action = (instance) => {
  const { definition, state } = instance;
  const known = definition.calls || instance.isHostOnly ? undefined : state.knowBox?.();
  return known ? known.then(() => instance.execute()) : instance.execute();
};
const FINISH: Action = (instance) => instance.definition.finish?.(instance);
const DISPOSE: Action = (instance) => instance.definition.dispose?.(instance);

/** What profiles call the time of operators whose calls were made as one. */
const FUSED = { name: 'fused step', profiledAs: 'fused step' } as const;

/** Once: the platform looks its global up whenever it is named. */
const clock = performance;

/**
 * Calls operators: gives their errors a place, measures them for profiles, and knows which have been prepared and called.
 * A promise is made only where an operator returns one.
 */
export class OperatorCalls {
  /** First use of every place, in order. */
  readonly #prepared = new Map<PlaceState, OperatorInstance>();
  readonly #called = new Map<PlaceState, OperatorInstance>();
  readonly #onOperator: OperatorListener | undefined;
  readonly #context: Partial<OperatorWatcher>;
  readonly #clock = new SharedClock();

  constructor(state: SimulationState, onOperator: OperatorListener | undefined) {
    this.#onOperator = onOperator;
    this.#context = watcherOf(state);
  }

  /** Prepares an operator, unless its place has been. */
  prepare({ instance, place }: Call): void | Promise<void> {
    if (place.isPrepared) return undefined;
    const begin = clock.now();
    const share = instance.isBesideOthers ? this.#clock.begin() : null;
    const note = () => {
      place.preparation = share ? this.#clock.end(share) : clock.now() - begin;
      this.#prepared.set(place, instance);
    };
    const running = this.#guard(instance, PREPARE);
    return running ? running.then(note) : note();
  }

  /** The first call of an operator at a place in the graph. */
  executeFirst(call: Call): void | Promise<void> {
    const preparing = this.prepare(call);
    return preparing ? preparing.then(() => this.#executeFirst(call)) : this.#executeFirst(call);
  }

  #executeFirst(call: Call): void | Promise<void> {
    const { instance, place } = call;
    call.isSettled = call.timing === null;
    if (place.isCalled) return this.execute(instance);
    place.isCalled = true;
    this.#called.set(place, instance);
    return this.execute(instance, place.preparation);
  }

  /** First calls of all places that have been called, in order. */
  get called(): ReadonlyMap<PlaceState, OperatorInstance> {
    return this.#called;
  }

  /**
   * Makes an operator one that has been called, without calling it: a run goes on.
   * @param isDone whether its work is in the checkpoint; otherwise it is executed.
   */
  async revive({ instance, place }: Call, isDone: boolean): Promise<void> {
    if (!place.isPrepared) {
      await this.#guard(instance, PREPARE);
      this.#prepared.set(place, instance);
    }
    if (place.isCalled) return;
    place.isCalled = true;
    this.#called.set(place, instance);
    if (!isDone) await this.#guard(instance, EXECUTE);
  }

  /** Asks an operator something about itself. Its errors get its place in the file. */
  async ask<R>(instance: OperatorInstance, question: () => R | Promise<R>): Promise<R> {
    try {
      enter(instance);
      return await question();
    } catch (error) {
      throw instance.locate(error);
    }
  }

  /** @param before milliseconds that its preparation took, where this is its first call */
  execute(instance: OperatorInstance, before = 0): void | Promise<void> {
    if (!this.#onOperator) return this.#guard(instance, EXECUTE);
    if (instance.isBesideOthers) return this.#executeShared(instance, before);
    const begin = clock.now() - before;
    const running = this.#guard(instance, EXECUTE);
    if (running) return this.#tellAfter(running, instance, begin);
    this.#onOperator(instance.name, clock.now() - begin, instance.profiledAs, 1);
    return undefined;
  }

  /** Executions of an operator in so many passes that follow each other, as one. */
  async executeMany(instance: OperatorInstance, times: number): Promise<void> {
    const begin = clock.now();
    await this.#guard(instance, () => instance.definition.executeMany!(instance, times));
    this.#onOperator?.(instance.name, clock.now() - begin, instance.profiledAs, times);
  }

  /** Whether other processes take part in what is done, in the same order. */
  get areShared(): boolean {
    return this.#context.exchanges === true;
  }

  /** An operator of a branch is told its share of the time in which others run too. */
  async #executeShared(instance: OperatorInstance, before: number): Promise<void> {
    const share = this.#clock.begin();
    try {
      await this.#guard(instance, EXECUTE);
    } finally {
      const milliseconds = before + this.#clock.end(share);
      this.#onOperator?.(instance.name, milliseconds, instance.profiledAs, 1);
    }
  }

  /** Makes the calls of several operators as one, for each of the steps `first` to `last`. */
  replay(step: FusedStep, first: number, last: number): void | Promise<void> {
    if (!this.#onOperator) return step.run(first, last);
    const begin = clock.now();
    const running = step.run(first, last);
    if (running) return this.#tellAfter(running, FUSED, begin);
    this.#onOperator(FUSED.name, clock.now() - begin, FUSED.profiledAs, 1);
    return undefined;
  }

  /** The calls that an operator makes for the present needs; null where it does more than calls. */
  callsOf(instance: OperatorInstance): readonly StepCall[] | null {
    const { calls } = instance.definition;
    if (!calls || !instance.isFixed) return null;
    let made: readonly StepCall[] | null = null;
    this.#guard(instance, () => {
      made = calls.call(instance.definition, instance);
    });
    return made;
  }

  async #tellAfter(
    running: Promise<void>,
    { name, profiledAs }: Pick<OperatorInstance, 'name' | 'profiledAs'>,
    begin: number,
  ): Promise<void> {
    await running;
    this.#onOperator?.(name, clock.now() - begin, profiledAs, 1);
  }

  /** Last words of every operator that has run. @param places in the order of the graph */
  async finish(places: readonly PlaceState[]): Promise<void> {
    for (const place of places) {
      const instance = this.#called.get(place);
      if (instance) await this.#guard(instance, FINISH);
    }
  }

  /** Gives back what operators hold, last first. The first error is thrown after all have had their turn. */
  async dispose(): Promise<void> {
    const failures: unknown[] = [];
    for (const instance of [...this.#prepared.values()].reverse()) {
      try {
        await this.#guard(instance, DISPOSE);
      } catch (error) {
        failures.push(error);
      }
    }
    this.#context.enterOperator?.('');
    if (failures.length > 0) throw failures[0];
  }

  /** Rejects when work without end has been ended. */
  endless(): Promise<never> {
    return new Promise((_, reject) => this.#context.onEndless?.(reject));
  }

  #guard(instance: OperatorInstance, action: Action): void | Promise<void> {
    try {
      enter(instance);
      const running = this.#context.exchanges
        ? exchanging(this.#context, action(instance))
        : action(instance);
      return running instanceof Promise ? located(running, instance) : running;
    } catch (error) {
      throw instance.locate(error);
    }
  }
}

/** Calls that follow are made by this operator. */
function enter({ state, name, backend, locate }: OperatorInstance): void {
  watcherOf(state).enterOperator?.(name, backend, locate);
}

const watcherOf = ({ context }: SimulationState): Partial<OperatorWatcher> =>
  (context ?? NOBODY) as Partial<OperatorWatcher>;
const NOBODY = {};

/** What an operator does, with the messages of its calls. */
async function exchanging(
  context: Partial<OperatorWatcher>,
  running: void | Promise<void>,
): Promise<void> {
  await running;
  await context.exchanged?.();
}

/** What an operator does, its errors with its place. */
async function located(running: Promise<void>, instance: OperatorInstance): Promise<void> {
  try {
    await running;
  } catch (error) {
    throw instance.locate(error);
  }
}
