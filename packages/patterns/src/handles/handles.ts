import { CorpuscleError } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import { type Locate, located } from './located.js';
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

/** Failed operations whose error has not been seen yet: they end the process, so that no error ever vanishes. */
const unobserved = new Map<object, unknown>();
/** Errors that have been seen: the loss of a device fails many operations, and is told once. */
const seen = new WeakSet<object>();

/** Notes that this error is seen. */
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

/** Called when the handle is awaited. */
type Flush<R> = (handle: Settable<R>) => void;

/** A handle whose outcome is set from outside. */
export interface Settable<R> extends PatternHandle<R> {
  resolve(value: R): void;
  reject(error: unknown): void;
}

/** Called when a handle is done or has failed, in the midst of other work: it must not do much. No promise is made for it. */
export type Follower<R> = (handle: PendingHandle<R>) => void;

/** Makes a promise only when it is awaited: runs make thousands of handles a second that are not. */
export class PendingHandle<R> implements Settable<R> {
  #state: 'pending' | 'done' | 'failed' = 'pending';
  /** The value when it is done, the error when it has failed. */
  #result: unknown;
  #promise: Promise<R> | null = null;
  #settle: { resolve(value: R): void; reject(error: unknown): void } | null = null;
  #observed = false;
  #handedOn = false;
  #followers: Follower<R>[] | null = null;
  /** What gives its error a place. */
  locate: Locate | undefined;
  readonly #finish: Flush<R> | undefined;

  constructor(finish?: Flush<R>) {
    this.#finish = finish;
  }

  resolve(value: R): void {
    if (this.done) return;
    this.#state = 'done';
    this.#result = value;
    this.#settle?.resolve(value);
    this.#tell();
  }

  reject(reason: unknown): void {
    if (this.done) return;
    const error = located(reason, this.locate);
    this.#state = 'failed';
    this.#result = error;
    if (this.#handedOn) {
      // the handle that has the outcome now answers for the error
    } else if (this.#observed) {
      noteSeen(error);
    } else {
      if (unobserved.size === 0) host.beforeExit(reportUnobserved);
      unobserved.set(this, error);
    }
    this.#settle?.reject(error);
    this.#tell();
  }

  get done(): boolean {
    return this.#state !== 'pending';
  }

  get failed(): boolean {
    return this.#state === 'failed';
  }

  /** Why it has failed. */
  get error(): unknown {
    return this.#result;
  }

  get value(): R {
    if (this.#state === 'done') return this.#result as R;
    if (this.#state === 'failed') {
      this.#observe();
      throw this.#result;
    }
    throw new CorpuscleError(
      'INTERNAL',
      'the operation is not done yet: await the handle before reading its value',
    );
  }

  wait(): Promise<R> {
    const outcome = this.outcome();
    this.#finish?.(this);
    return outcome;
  }

  /** As `wait`, but nothing is flushed. */
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
    this.#answerNoMore();
    return this.#outcome();
  }

  /** As `outcome`, without a promise. */
  follow(follower: Follower<R>): void {
    this.#observe();
    this.#add(follower);
  }

  /** As `handOn`, without a promise. */
  handOnTo(follower: Follower<R>): void {
    this.#answerNoMore();
    this.#add(follower);
  }

  #answerNoMore(): void {
    this.#handedOn = true;
    this.#observed = true;
    if (this.#state === 'failed') unobserved.delete(this);
  }

  #add(follower: Follower<R>): void {
    if (this.done) follower(this);
    else if (this.#followers) this.#followers.push(follower);
    else this.#followers = [follower];
  }

  #tell(): void {
    const followers = this.#followers;
    if (followers === null) return;
    this.#followers = null;
    for (let k = 0; k < followers.length; k++) followers[k]!(this);
  }

  /** Whether it may still end with an unseen error. */
  get isUnseen(): boolean {
    return this.#state !== 'done' && !this.#observed;
  }

  /** Waits for the work, and gives the error that has not been seen. */
  async unseenError(): Promise<{ error: unknown } | null> {
    const outcome = this.#outcome();
    this.#finish?.(this);
    await outcome.catch(() => {});
    // Awaiting changed it.
    if (!this.failed || this.#observed) return null;
    const error = this.#result;
    const isNew = !isSeen(error);
    this.#observe();
    return isNew ? { error } : null;
  }

  #outcome(): Promise<R> {
    if (!this.#promise) {
      this.#promise = new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      if (this.#state === 'done') this.#settle!.resolve(this.#result as R);
      else if (this.#state === 'failed') this.#settle!.reject(this.#result);
    }
    return this.#promise;
  }

  #observe(): void {
    this.#observed = true;
    if (this.#state === 'failed' && !this.#handedOn) noteSeen(this.#result);
    unobserved.delete(this);
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
 * A handle for work under way. Its error surfaces at `wait`; without one, it ends the process at exit.
 * @param flush called when the handle is awaited, to speed the operation up (submit what is recorded, for instance).
 */
export function pending<R>(promise: PromiseLike<R>, flush?: () => void): PatternHandle<R> {
  const handle = new PendingHandle<R>(flush);
  promise.then(
    (value) => handle.resolve(value),
    (error: unknown) => handle.reject(error),
  );
  return handle;
}

/** A handle whose outcome is set by hand; see `pending`. `flush` is given the handle: one serves many. */
export function settable<R>(flush?: Flush<R>): Settable<R> {
  return new PendingHandle<R>(flush);
}

/** Sets the outcome of a handle to that of another, which may settle later. */
export function passOutcome<R>(from: PatternHandle<R>, to: Settable<R>): void {
  if (from instanceof PendingHandle) {
    from.follow((settled) => {
      if (settled.failed) to.reject(settled.error);
      else to.resolve(settled.value);
    });
    return;
  }
  from.wait().then(
    (value) => to.resolve(value),
    (error: unknown) => to.reject(error),
  );
}

/**
 * The result of an operation when it comes by itself: as `wait`, but without a flush, which empties the device's
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
/** The handle of an operation that starts later; it is flushed only if it is awaited. */
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
    inner?.wait().catch(() => {}); // those who wait see the error
  });
}
