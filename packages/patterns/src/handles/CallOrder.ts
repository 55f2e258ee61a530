import { relayed } from './handles.js';
import type { PatternHandle } from './PatternHandle.js';

/**
 * Keeps pattern calls in program order. As long as nothing has to be awaited a call starts at once, as an ordinary
 * synchronous call; once one has to wait (for a download from the device), it and all calls after it start one after
 * the other, and their handles say when they are done.
 */
export class CallOrder {
  #tail: Promise<unknown> | null = null;

  /** True when nothing waits: the next call may start at once. */
  get idle(): boolean {
    return this.#tail === null;
  }

  /**
   * Starts a call when its turn has come.
   * @param prepare says what must be awaited first, or null; asked when the turn has come.
   * @param start does the call.
   */
  run<R>(prepare: () => Promise<void> | null, start: () => PatternHandle<R>): PatternHandle<R> {
    let before: Promise<void> | null = null;
    if (this.#tail === null) {
      before = prepare();
      if (before === null) return start();
    }
    // Errors of earlier calls belong to their own handles; order only needs them to be over.
    const started = (this.#tail ?? Promise.resolve()).then(async () => {
      await (before ?? prepare());
      return { handle: start() }; // wrapped, because a handle is thenable and would be awaited here
    });
    before?.catch(() => {}); // reported by `started`
    const tail: Promise<unknown> = started
      .catch(() => {})
      .then(() => {
        if (this.#tail === tail) this.#tail = null;
      });
    this.#tail = tail;
    return relayed(started);
  }

  /** Resolves when no call waits any more. */
  async settled(): Promise<void> {
    while (this.#tail !== null) await this.#tail;
  }
}
