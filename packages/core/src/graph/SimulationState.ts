import { CorpuscleError } from '@corpuscle/functor/error';
import type { AtomicOutput } from '../io/AtomicOutput.js';
import type { Simulation } from './Simulation.js';
import { numberOf, type StateKey } from './StateKey.js';

/** Where a run is; `endStep` is known once an operator says so. */
export interface Progress {
  readonly step: number;
  readonly time: number;
  readonly endStep?: number;
}

/** What a state is made from. */
export interface StateOptions {
  readonly simulation: Simulation;
  /** The execution context of @corpuscle/patterns; core only tells it which operator runs (`OperatorWatcher`). */
  readonly context: unknown;
  readonly output: AtomicOutput;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onMessage?: (text: string) => void;
}

/**
 * What operators share while a simulation runs: named, typed entries, the clock, the output files.
 *
 * @example
 * state.set(gridKey, grid);
 * const grid = state.get(gridKey);          // an error naming the remedy when nobody has set it
 */
export class SimulationState {
  readonly simulation: Simulation;
  readonly context: unknown;
  readonly output: AtomicOutput;
  /** Aborted when the user interrupts: loops end after the pass they are in. */
  readonly signal: AbortSignal;
  /** Steps done since the beginning of the run. */
  step = 0;
  /** Simulated time, internal units. */
  time = 0;
  /** By the numbers of their keys. */
  readonly #entries: unknown[] = [];
  #onProgress: ((progress: Progress) => void) | undefined;
  #onMessage: ((text: string) => void) | undefined;

  constructor(options: StateOptions) {
    this.simulation = options.simulation;
    this.context = options.context;
    this.output = options.output;
    this.signal = options.signal ?? new AbortController().signal;
    this.#onProgress = options.onProgress;
    this.#onMessage = options.onMessage;
  }

  /** @throws CorpuscleError MISSING_VALUE when no operator has set it. */
  get<T>(key: StateKey<T>): T {
    const entry = this.#entries[numberOf(key)];
    if (entry !== undefined) return entry as T;
    throw new CorpuscleError('MISSING_VALUE', `there is no ${key.name} yet, ${key.doc}`);
  }

  find<T>(key: StateKey<T>): T | undefined {
    return this.#entries[numberOf(key)] as T | undefined;
  }

  set<T>(key: StateKey<T>, value: T): void {
    this.#entries[numberOf(key)] = value;
  }

  /** The entry, made on first use. */
  obtain<T>(key: StateKey<T>, make: () => T): T {
    const present = this.find(key);
    if (present !== undefined) return present;
    const made = make();
    this.set(key, made);
    return made;
  }

  /** Tells whoever watches (a progress bar) where the run is. Cheap: call it every step. */
  reportProgress(endStep?: number): void {
    this.#onProgress?.({ step: this.step, time: this.time, endStep });
  }

  /** Says something to the user, one line without a newline: rows of the thermo table, warnings. */
  say(text: string): void {
    this.#onMessage?.(text);
  }
}
