/**
 * What every pattern call returns. Awaiting it gives the result and makes values that were returned visible on the host.
 * On the CPU the work is complete when the call returns, unless `asynchronous: true` was asked for. On the GPU it is queued in order.
 *
 * @example
 * const control = computeCellParticles(grid, functor, ctx, { asynchronous: true });
 * // … meanwhile …
 * await control.wait();
 */
export interface PatternHandle<R> extends PromiseLike<R> {
  /** Waits for the operation to complete; rejects with its error. */
  wait(): Promise<R>;
  /** True once the operation is complete or has failed. */
  readonly done: boolean;
  /** The result of a completed operation. @throws its error, or CorpuscleError INTERNAL while it is not done. */
  readonly value: R;
}
