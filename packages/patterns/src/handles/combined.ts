import { completed, PendingHandle, pending } from './handles.js';
import type { PatternHandle } from './PatternHandle.js';

/**
 * The handle of what follows from the results of several others. Waiting for it flushes them all.
 *
 * @example
 * const energy = combined([bonds, angles], ([b, a]) => b!.energy + a!.energy);
 */
export function combined<A, R>(
  handles: readonly PatternHandle<A>[],
  combine: (values: A[]) => R | Promise<R>,
): PatternHandle<R> {
  if (!handles.every(hasResult)) return new Combination(handles, combine);
  try {
    const result = combine(handles.map((handle) => handle.value));
    return result instanceof Promise ? pending(result) : completed(result);
  } catch (error) {
    return pending(Promise.reject(error));
  }
}

const hasResult = (handle: PatternHandle<unknown>): boolean =>
  handle.done && !(handle instanceof PendingHandle && handle.failed);

/** What waits for this runs next, after all that runs now. */
const NEXT = Promise.resolve();

/** What follows from several results, some of which are under way. It counts them, and makes no promises. */
class Combination<A, R> extends PendingHandle<R> {
  readonly #combine: (values: A[]) => R | Promise<R>;
  readonly #values: A[] = [];
  #missing: number;

  constructor(handles: readonly PatternHandle<A>[], combine: (values: A[]) => R | Promise<R>) {
    super(() => {
      for (const handle of handles) handle.wait().catch(() => {}); // those who wait see the error
    });
    this.#combine = combine;
    this.#missing = handles.length;
    for (let k = 0; k < handles.length; k++) this.#await(handles[k]!, k);
  }

  #await(handle: PatternHandle<A>, k: number): void {
    if (handle instanceof PendingHandle) {
      handle.handOnTo((one) => {
        if (one.failed) this.#refuse(one.error);
        else this.#take(one.value, k);
      });
    } else {
      handle.wait().then(
        (value) => this.#take(value, k),
        (error: unknown) => this.#refuse(error),
      );
    }
  }

  #take(value: A, k: number): void {
    this.#values[k] = value;
    // Results come in the midst of other work, and what is made of them may do anything.
    if (--this.#missing === 0) NEXT.then(() => this.#make());
  }

  #refuse(error: unknown): void {
    NEXT.then(() => this.reject(error));
  }

  #make(): void {
    try {
      const made = this.#combine(this.#values);
      if (made instanceof Object && 'then' in made) pass(made, this);
      else this.resolve(made);
    } catch (error) {
      this.reject(error);
    }
  }
}

function pass<R>(from: PromiseLike<R>, to: PendingHandle<R>): void {
  from.then(
    (value) => to.resolve(value),
    (error: unknown) => to.reject(error),
  );
}
