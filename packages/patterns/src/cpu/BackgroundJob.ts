import type { Lane } from '../handles/Lanes.js';
import type { LoadedKernel } from './KernelStore.js';
import type { Schedule } from './Schedule.js';

/** Parts into which a job is cut at first while other lanes wait. */
const SLICES = 16;
/** Slices shorter than this, in milliseconds, are doubled: short jobs are soon done. */
const SHORT = 2;

/** A job in the background, as its caller sees it. */
export interface JobHandle {
  readonly done: boolean;
  /** Resolves when the job is complete; rejects with its error. */
  readonly finished: Promise<void>;
}

/** A job that waits for its turn or runs while the main thread is free. */
export class BackgroundJob implements JobHandle {
  readonly finished: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  #done = false;
  /** Where the next slice begins. */
  at: number;
  #slices = SLICES;
  #since = 0;

  constructor(
    readonly kernel: LoadedKernel,
    readonly args: number,
    readonly begin: number,
    readonly end: number,
    readonly schedule: Schedule,
    /** Jobs of one lane run in their order. */
    readonly lane: Lane | null = null,
  ) {
    this.at = begin;
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.finished.catch(() => {}); // the holder of the handle sees the error; it must not end the process
  }

  /** The end of the next slice: everything that is left, or a part of it where others wait. */
  sliceEnd(others: boolean): number {
    const { at, end, schedule } = this;
    this.#since = performance.now();
    if (!others || schedule.kind === 'static') return end;
    const slice =
      schedule.chunk * Math.ceil((this.end - this.begin) / (this.#slices * schedule.chunk));
    return Math.min(end, at + slice);
  }

  /** A slice is done, and others follow. */
  goOnAt(at: number): void {
    this.at = at;
    if (performance.now() - this.#since < SHORT) this.#slices = Math.max(1, this.#slices / 2);
  }

  get done(): boolean {
    return this.#done;
  }

  /** Ends the job, with an error if `result` throws; those who wait are told. */
  settle(result: () => void): void {
    this.#done = true;
    try {
      result();
      this.#resolve();
    } catch (error) {
      this.#reject(error);
    }
  }
}
