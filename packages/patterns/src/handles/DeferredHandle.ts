import type { PatternHandle } from './PatternHandle.js';

/** The handle of operations that count as complete, and are done at the latest when they are awaited. */
export class DeferredHandle implements PatternHandle<undefined> {
  readonly #complete: () => void;

  constructor(complete: () => void) {
    this.#complete = complete;
  }
  get done(): boolean {
    return true;
  }
  get value(): undefined {
    this.#complete();
    return undefined;
  }
  async wait(): Promise<undefined> {
    this.#complete();
    return undefined;
  }
  then<A = undefined, B = never>(
    fulfilled?: ((value: undefined) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.wait().then(fulfilled, rejected);
  }
}
