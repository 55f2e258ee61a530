import type { TraceSlice } from '../engine/TraceSlice.js';
import { TIME_UNIT } from './controlBlock.js';

/** Milliseconds after which the time that a thread counts begins anew. */
const WRAP = 2 ** 32 * TIME_UNIT;

/** Tells how long each thread has worked in each job. All are told to begin with the job: when a thread has joined is not noted. */
export class JobTimes {
  readonly #read: () => Float64Array;
  readonly #told: (slice: TraceSlice) => void;
  #before: Float64Array;
  #begin = 0;

  /** @param read milliseconds that each thread has worked so far. */
  constructor(read: () => Float64Array, told: (slice: TraceSlice) => void) {
    this.#read = read;
    this.#told = told;
    this.#before = read();
  }

  /** A job begins. */
  begin(): void {
    this.#begin = performance.now();
  }

  /** The job has ended. @param name of its kernel. @param operator that it was done for. */
  end(name: string, operator: string): void {
    const after = this.#read();
    for (const [thread, time] of after.entries()) {
      const milliseconds = (time - this.#before[thread]! + WRAP) % WRAP;
      if (milliseconds === 0) continue;
      const track = thread === 0 ? 'main thread, kernels' : `thread ${thread}`;
      this.#told({ track, name, operator, begin: this.#begin, milliseconds });
    }
    this.#before = after;
  }
}
