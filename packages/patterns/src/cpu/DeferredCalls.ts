import { host } from '@corpuscle/core/platform';
import type { Unfinished } from './Unfinished.js';

/** One call that is deferred. */
interface DeferredCall {
  run(): void;
}

/**
 * Calls that are made of many kernels and of work between them, deferred until the event loop is idle, or until a call
 * needs what they compute: whichever comes first. They run in their order, on all threads.
 */
export class DeferredCalls {
  readonly #unfinished: Unfinished;
  #waiting: DeferredCall[] = [];

  constructor(unfinished: Unfinished) {
    this.#unfinished = unfinished;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Defers a call; its result or its error comes with the promise. */
  add<R>(work: () => R): Promise<R> {
    this.#unfinished.some = true;
    if (this.isEmpty) host.later(() => this.flush());
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({
        run() {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        },
      });
    });
  }

  /** Makes all calls that wait. */
  flush(): void {
    while (this.#waiting.length > 0) this.#waiting.shift()!.run();
  }
}
