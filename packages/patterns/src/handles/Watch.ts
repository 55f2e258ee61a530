import { CorpuscleError } from '@corpuscle/core';
import { PendingHandle } from './handles.js';
import type { PatternHandle } from './PatternHandle.js';

/** Handles watched before those are removed that need no watching any more. */
const FEW = 256;

/** Handles of work that is under way, and of failures that have not been seen. */
export class Watch {
  readonly #handles: PendingHandle<unknown>[] = [];
  #most = FEW;

  /** Notes a handle, if its work is not done. */
  add<R>(handle: PatternHandle<R>): PatternHandle<R> {
    if (!(handle instanceof PendingHandle) || !handle.isUnseen) return handle;
    if (this.#handles.length === this.#most) this.#sortOut();
    this.#handles.push(handle);
    return handle;
  }

  /** In place: a run has thousands of handles a second sorted out. */
  #sortOut(): void {
    const handles = this.#handles;
    let left = 0;
    for (let k = 0; k < handles.length; k++) {
      const handle = handles[k]!;
      if (handle.isUnseen) handles[left++] = handle;
    }
    handles.length = left;
    this.#most = Math.max(FEW, 2 * left);
  }

  /**
   * Waits for the work that is not awaited.
   * @throws its error; of several the first, which tells how many there are.
   */
  async settle(): Promise<void> {
    const errors: unknown[] = [];
    // Taken out before: more may be added while one is awaited.
    while (this.#handles.length > 0) {
      for (const handle of this.#handles.splice(0)) {
        const unseen = handle.isUnseen ? await handle.unseenError() : null;
        if (unseen) errors.push(unseen.error);
      }
    }
    if (errors.length === 0) return;
    const [first] = errors;
    if (errors.length === 1) throw first;
    const message = first instanceof Error ? first.message : String(first);
    throw new CorpuscleError(
      first instanceof CorpuscleError ? first.code : 'KERNEL_FAILED',
      `${errors.length} calls that nobody awaited failed; the first: ${message}`,
      { cause: new AggregateError(errors) },
    );
  }
}
