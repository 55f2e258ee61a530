import { CorpuscleError } from '@corpuscle/core';
import { PendingHandle } from './handles.js';
import type { Locate } from './located.js';
import type { PatternHandle } from './PatternHandle.js';
import { PrunedList } from './PrunedList.js';

/** Handles of work that is under way, and of failures that have not been seen. */
export class Watch {
  readonly #handles = new PrunedList<PendingHandle<unknown>>(({ isUnseen }) => isUnseen);

  /** Notes a handle, if its work is not done, and what gives its error a place. */
  add<R>(handle: PatternHandle<R>, locate?: Locate): PatternHandle<R> {
    if (!(handle instanceof PendingHandle)) return handle;
    handle.locate ??= locate;
    if (!handle.isUnseen) return handle;
    this.#handles.add(handle);
    return handle;
  }

  /**
   * Waits for the work that is not awaited.
   * @throws its error; of several the first, which tells how many there are.
   */
  async settle(): Promise<void> {
    const errors: unknown[] = [];
    // Taken out before: more may be added while one is awaited.
    for (let some = this.#handles.take(); some.length > 0; some = this.#handles.take()) {
      for (const handle of some) {
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
      { cause: new AggregateError(errors), location: (first as Partial<CorpuscleError>).location },
    );
  }
}
