import { CorpuscleError } from '@corpuscle/core';
import type { PatternHandle } from './PatternHandle.js';

/** The handle of an operation that was complete when its call returned. */
class CompletedHandle<R> implements PatternHandle<R> {
  readonly value: R;
  constructor(value: R) {
    this.value = value;
  }
  get done(): boolean {
    return true;
  }
  wait(): Promise<R> {
    return Promise.resolve(this.value);
  }
  then<A = R, B = never>(
    fulfilled?: ((value: R) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return Promise.resolve(this.value).then(fulfilled, rejected);
  }
}

/** Failed operations whose error nobody has looked at yet: they end the process, so that no error ever vanishes. */
const unobserved = new Map<object, unknown>();
/** Errors that somebody has seen: the loss of a device fails many operations, and is told once. */
const seen = new WeakSet<object>();

/** Notes that somebody gets this error. */
export function noteSeen(error: unknown): void {
  if (typeof error === 'object' && error !== null) seen.add(error);
}
const isSeen = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && seen.has(error);

function reportUnobserved(): void {
  const errors = [...unobserved.values()];
  unobserved.clear();
  for (const error of errors) if (!isSeen(error)) throw error;
}

/** A handle whose outcome somebody else sets. */
export interface Settable<R> extends PatternHandle<R> {
  resolve(value: R): void;
  reject(error: unknown): void;
}

type State<R> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly value: R }
  | { readonly kind: 'failed'; readonly error: unknown };

const PENDING = { kind: 'pending' } as const;

/** Makes a promise only when somebody waits: runs make thousands of handles a second that nobody awaits. */
class PendingHandle<R> implements Settable<R> {
  #state: State<R> = PENDING;
  #promise: Promise<R> | null = null;
  #settle: { resolve(value: R): void; reject(error: unknown): void } | null = null;
  #observed = false;
  #handedOn = false;
  /** Where the handle is noted until its work is done, or until somebody has seen its error. */
  #watch: Set<PatternHandle<unknown>> | null = null;
  readonly #finish: (() => void) | undefined;

  constructor(finish?: () => void) {
    this.#finish = finish;
  }

  resolve(value: R): void {
    if (this.done) return;
    this.#state = { kind: 'done', value };
    this.#watch?.delete(this);
    this.#settle?.resolve(value);
  }

  reject(error: unknown): void {
    if (this.done) return;
    this.#state = { kind: 'failed', error };
    if (this.#handedOn) {
      // whoever has the outcome now sees the error, or does not
    } else if (this.#observed) {
      noteSeen(error);
    } else {
      if (unobserved.size === 0) process.once('beforeExit', reportUnobserved);
      unobserved.set(this, error);
    }
    this.#settle?.reject(error);
  }

  get done(): boolean {
    return this.#state.kind !== 'pending';
  }

  get failed(): boolean {
    return this.#state.kind === 'failed';
  }

  get value(): R {
    const state = this.#state;
    if (state.kind === 'done') return state.value;
    if (state.kind === 'failed') {
      this.#observe();
      throw state.error;
    }
    throw new CorpuscleError(
      'INTERNAL',
      'the operation is not done yet: await the handle before reading its value',
    );
  }

  wait(): Promise<R> {
    const outcome = this.outcome();
    this.#finish?.();
    return outcome;
  }

  /** As `wait`, but nothing is hurried. */
  outcome(): Promise<R> {
    this.#observe();
    return this.#outcome();
  }

  then<A = R, B = never>(
    fulfilled?: ((value: R) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.wait().then(fulfilled, rejected);
  }

  /** The outcome for another handle to pass on, which answers for the error. */
  handOn(): Promise<R> {
    this.#handedOn = true;
    this.#observed = true;
    this.#watch?.delete(this);
    unobserved.delete(this);
    return this.#outcome();
  }

  watchedBy(watch: Set<PatternHandle<unknown>>): void {
    if (this.#state.kind === 'done' || this.#observed) return;
    this.#watch = watch;
    watch.add(this);
  }

  /** Waits for the work, and gives the error that nobody has seen. */
  async unseenError(): Promise<{ error: unknown } | null> {
    const outcome = this.#outcome();
    this.#finish?.();
    await outcome.catch(() => {});
    if (this.#state.kind !== 'failed' || this.#observed) return null;
    const { error } = this.#state;
    const isNew = !isSeen(error);
    this.#observe();
    return isNew ? { error } : null;
  }

  #outcome(): Promise<R> {
    if (!this.#promise) {
      this.#promise = new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      if (this.#state.kind === 'done') this.#settle!.resolve(this.#state.value);
      else if (this.#state.kind === 'failed') this.#settle!.reject(this.#state.error);
    }
    return this.#promise;
  }

  #observe(): void {
    this.#observed = true;
    if (this.#state.kind === 'failed' && !this.#handedOn) noteSeen(this.#state.error);
    this.#watch?.delete(this);
    unobserved.delete(this);
  }
}

/** Handles of work that is under way, and of failures that nobody has seen. */
export class Watch {
  readonly #handles = new Set<PatternHandle<unknown>>();

  /** Notes a handle, if its work is not done. */
  add<R>(handle: PatternHandle<R>): PatternHandle<R> {
    if (handle instanceof PendingHandle) handle.watchedBy(this.#handles);
    return handle;
  }

  /**
   * Waits for the work that nobody awaits.
   * @throws its error; of several the first, which tells how many there are.
   */
  async settle(): Promise<void> {
    const errors: unknown[] = [];
    for (const handle of [...this.#handles]) {
      const unseen = await (handle as PendingHandle<unknown>).unseenError();
      if (unseen) errors.push(unseen.error);
    }
    this.#handles.clear();
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

const nothing: PatternHandle<void> = new CompletedHandle<void>(undefined);

/** A handle that is done. */
export function completed(): PatternHandle<void>;
export function completed<R>(value: R): PatternHandle<R>;
export function completed(value?: unknown): PatternHandle<unknown> {
  return value === undefined ? nothing : new CompletedHandle(value);
}

/**
 * A handle for work under way. Its error surfaces at `wait`; if nobody ever waits, it ends the process at exit.
 * @param hurry called when somebody waits, to speed the operation up (submit what is recorded, for instance).
 */
export function pending<R>(promise: PromiseLike<R>, hurry?: () => void): PatternHandle<R> {
  const handle = new PendingHandle<R>(hurry);
  promise.then(
    (value) => handle.resolve(value),
    (error: unknown) => handle.reject(error),
  );
  return handle;
}

/** A handle whose outcome is set by hand; see `pending`. */
export function settable<R>(hurry?: () => void): Settable<R> {
  return new PendingHandle<R>(hurry);
}

/**
 * The result of an operation when it comes by itself: as `wait`, but without making the device hurry, which empties its
 * queue. On the GPU results of many calls arrive together.
 *
 * @example
 * const rows = whenDone(reduceCellParticles(grid, kinetic, {}, ctx)).then((k) => k.xx);
 */
export function whenDone<R>(handle: PatternHandle<R>): Promise<R> {
  return handle instanceof PendingHandle ? handle.outcome() : handle.wait();
}

/** Whether a handle is of an operation that was complete when its call returned. */
export const isCompleted = (handle: PatternHandle<unknown>): boolean =>
  handle instanceof CompletedHandle;

const handedOn = <R>(handle: PatternHandle<R>): Promise<R> =>
  handle instanceof PendingHandle ? handle.handOn() : handle.wait();
const hasFailed = (handle: PatternHandle<unknown>): boolean =>
  handle instanceof PendingHandle && handle.failed;

/**
 * The handle of what follows from the results of several others. Waiting for it hurries them all.
 *
 * @example
 * const energy = combined([bonds, angles], ([b, a]) => b!.energy + a!.energy);
 */
export function combined<A, R>(
  handles: readonly PatternHandle<A>[],
  combine: (values: A[]) => R | Promise<R>,
): PatternHandle<R> {
  if (handles.every((handle) => handle.done && !hasFailed(handle))) {
    try {
      const result = combine(handles.map((handle) => handle.value));
      return result instanceof Promise ? pending(result) : completed(result);
    } catch (error) {
      return pending(Promise.reject(error));
    }
  }
  return pending(Promise.all(handles.map(handedOn)).then(combine), () => {
    for (const handle of handles) handle.wait().catch(() => {}); // whoever waits sees the error
  });
}

/** The handle of an operation that starts later; it is hurried only if somebody waits. */
export function relayed<R>(started: Promise<{ handle: PatternHandle<R> }>): PatternHandle<R> {
  let inner: PatternHandle<R> | undefined;
  let wanted = false;
  const promise = started.then(({ handle }) => {
    inner = handle;
    if (wanted) handle.wait().catch(() => {});
    return handedOn(handle);
  });
  return pending(promise, () => {
    wanted = true;
    inner?.wait().catch(() => {}); // whoever waits sees the error
  });
}
