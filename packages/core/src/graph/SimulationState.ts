import { CorpuscleError } from '@corpuscle/functor/error';
import type { OutputFolder } from '../io/OutputFolder.js';
import { Schedule } from './run/Schedule.js';
import type { Need } from './ScheduleSpec.js';
import type { Simulation } from './Simulation.js';
import { numberOf, type StateKey } from './StateKey.js';
import type { StepFuser } from './StepCall.js';

/** Where a run is; `endStep` is known once an operator says so. */
export interface Progress {
  readonly step: number;
  readonly time: number;
  readonly endStep?: number;
}

/** Ends a run early: an AbortSignal is one. */
export interface StopSignal {
  readonly aborted: boolean;
}

/** What a state is made from. */
export interface StateOptions {
  readonly simulation: Simulation;
  /** The execution context of @corpuscle/patterns; core only tells it which operator runs (`OperatorWatcher`). */
  readonly context: unknown;
  readonly output: OutputFolder;
  readonly signal?: StopSignal;
  readonly stopAfter?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onMessage?: (text: string) => void;
}

/** That of a state that no runner drives. */
const noSchedule = new Schedule([]);

/**
 * What operators share while a simulation runs: named, typed entries, the clock, the output files.
 *
 * @example
 * state.set(gridKey, grid);
 * const grid = state.get(gridKey);          // an error naming the remedy when it is not set
 */
export class SimulationState {
  readonly simulation: Simulation;
  readonly context: unknown;
  readonly output: OutputFolder;
  /** Aborted when the user interrupts: loops end after the pass they are in. */
  readonly signal: StopSignal;
  /** Steps done since the beginning of the run. */
  step = 0;
  /** Simulated time, internal units. */
  time = 0;
  /** Whether the run ends after this pass because `signal` said so. */
  isInterrupted = false;
  /** Whether operators are executed again because a run goes on from a checkpoint. */
  isResuming = false;
  /** The step at which the run ends, once an operator knows it. */
  endStep: number | undefined;
  /** The schedule of the loop that the run is in; the runner keeps it up to date. */
  schedule: Schedule | null = null;
  /** Fuses the calls of a pass; set by the operator that knows the engine, where that makes passes faster. */
  fuseStep: StepFuser | undefined;
  /** Makes the box that the host knows the present one, where a device deforms it: operators that are more than calls look at it. */
  knowBox: (() => Promise<void> | undefined) | undefined;
  /** Writes the last good state of a run that has failed; gives what the message says of it. It must not wait for a device. */
  rescue: (() => Promise<string | null>) | undefined;
  /** Grows when operators must make their calls again. */
  callsVersion = 0;
  /** The last step in which an operator that is more than `calls` has changed velocities otherwise than by forces. */
  velocitiesChanged = Number.NaN;
  /** What forces compute in every step, whether it is read or not, so that they are computed by the same kernels. */
  alwaysNeeded: readonly Need[] = [];
  /** By the numbers of their keys. */
  private readonly entries: unknown[] = [];
  private readonly stopAfter: number;
  private readonly progressed: ((progress: Progress) => void) | undefined;
  private readonly said: ((text: string) => void) | undefined;
  private readonly releases: (() => void)[] = [];

  constructor(options: StateOptions) {
    this.simulation = options.simulation;
    this.context = options.context;
    this.output = options.output;
    this.signal = options.signal ?? { aborted: false };
    this.stopAfter = options.stopAfter ?? Number.POSITIVE_INFINITY;
    this.progressed = options.onProgress;
    this.said = options.onMessage;
  }

  /** An entry. @throws CorpuscleError MISSING_VALUE when no operator has set it. */
  get<T>(key: StateKey<T>): T {
    const entry = this.entries[numberOf(key)];
    if (entry !== undefined) return entry as T;
    throw new CorpuscleError('MISSING_VALUE', `there is no ${key.name} yet, ${key.doc}`);
  }

  /** An entry, or undefined when no operator has set it. */
  find<T>(key: StateKey<T>): T | undefined {
    return this.entries[numberOf(key)] as T | undefined;
  }

  /** Sets an entry; what was there before is replaced. */
  set<T>(key: StateKey<T>, value: T): void {
    this.entries[numberOf(key)] = value;
  }

  /** The entry, made on first use. */
  obtain<T>(key: StateKey<T>, make: () => T): T {
    const present = this.find(key);
    if (present !== undefined) return present;
    const made = make();
    this.set(key, made);
    return made;
  }

  /** The last step, as far as it is known; infinite where nothing is. */
  get lastStep(): number {
    return Math.min(this.endStep ?? Number.POSITIVE_INFINITY, this.stopAfter + 1);
  }

  /** Whether this step is the last one, or the run is being interrupted. */
  get isEnding(): boolean {
    return this.step === this.endStep || this.isInterrupted;
  }

  /**
   * Looks whether the run is to be interrupted. The runner does so between passes: a pass knows from its beginning to its end
   * whether it is the last one, so that forces compute what the last rows need.
   */
  heedSignal(): boolean {
    this.isInterrupted ||= this.signal.aborted || this.step >= this.stopAfter;
    return this.isInterrupted;
  }

  /**
   * Whether an operator that is due in this step, of the loop the run is in, reads something. Force operators ask before they
   * compute; a wrong guess costs time and changes no result.
   */
  isNeeded(need: Need): boolean {
    return this.needsNow().has(need);
  }

  /** All that is needed in this step. */
  needsNow(): ReadonlySet<Need> {
    return (this.schedule ?? noSchedule).needsAt(this.step, this.isEnding, this.alwaysNeeded);
  }

  /** Something that prepared calls are bound to has changed: other particles, bonds, or lists that reach farther. */
  renewCalls(): void {
    this.callsVersion++;
  }

  /** Reports to a progress bar, say, where the run is. Cheap: call it every step, or after several. */
  reportProgress(endStep = this.endStep): void {
    this.progressed?.({ step: this.step, time: this.time, endStep });
  }

  /** Tells how to give memory of the context back that an entry has: `free` calls it. */
  onFree(release: () => void): void {
    this.releases.push(release);
  }

  /** Leaves memory that `free` would give back to the caller, such as a view that shows particles after a run. */
  keepMemory(): void {
    this.releases.length = 0;
  }

  /** Gives the memory of the context back that the run still has, such as that of its particles. They must not be used afterwards. */
  free(): void {
    for (const release of this.releases.splice(0)) release();
  }

  /** Says something to the user, one line without a newline: rows of the thermo table, warnings. */
  say(text: string): void {
    this.said?.(text);
  }
}
