import type { LoadedKernel } from './KernelStore.js';
import type { Schedule } from './Schedule.js';

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

  constructor(
    readonly kernel: LoadedKernel,
    readonly args: number,
    readonly begin: number,
    readonly end: number,
    readonly schedule: Schedule,
  ) {
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.finished.catch(() => {}); // whoever holds the handle sees the error; nobody else must end the process
  }

  get done(): boolean {
    return this.#done;
  }

  /** Ends the job, well unless `result` throws; whoever waits is told. */
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
