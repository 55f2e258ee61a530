import { CorpuscleError, type FieldBlock } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { EngineStep, StepCall } from '../engine/Engine.js';
import { announce } from '../plan/announceWrites.js';
import { atCaller } from '../plan/atCaller.js';
import { checkCall } from '../plan/checkCall.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';

/** The body of a loop, fused once. */
export interface PreparedStep {
  /**
   * Makes the calls in their order, `times` times. Their results are dropped, but for what list updates find (`onUpdate`). @returns a
   * promise where the host has to wait for the device: await it before anything else. @throws what the calls throw; CLOSED after `close`.
   */
  run(times?: number): void | Promise<void>;
  /** Whether it is the same whenever it is made, so that steps in a row may be made later, as one `run`. */
  readonly isSame: boolean;
  /** Whether it is made together with those of other simulations on the device, see `openReplicas`. */
  readonly isShared: boolean;
  /** Says how many steps a dispatch takes so far, and why: on a GPU steps of few particles are taken many at a time. */
  explain(): string;
  /** Gives back what was fused; the calls stay as they are. */
  close(): void;
}

/**
 * Prepares the body of a loop: the same prepared calls in the same order, again and again. On a device they become few
 * kernels: cell calls in a row are one, those that follow pairs are the end of their kernel, also across the end of the
 * step, and so are notes of displacements, reductions into values, and the first part of a sort.
 *
 *   step   drift, lists, zero, pairs, kick │ drift, lists, zero, pairs, kick │ …
 *   kernels                    └─────────────────────┘
 * @param calls made by the prepare functions, with all their parameters. @throws CorpuscleError MISSING_VALUE for a call without its parameters, INVALID_VALUE for calls of another context.
 * @example
 * const step = prepareStep(ctx, [drift, lists, zero, forces, kick]);
 * await step.run(1000);
 */
export function prepareStep(
  ctx: ExecutionContext,
  // biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
  calls: readonly PreparedCall<any, unknown>[],
): PreparedStep {
  return atCaller(prepareStep, () => {
    checkCall({ ctx });
    checkCalls(calls);
    const bound = calls.filter((call) => call instanceof BoundCall);
    for (const call of bound) call.checkOpen();
    if (bound.some((call) => call.ctx.engines !== ctx.engines))
      throw new CorpuscleError(
        'INVALID_VALUE',
        'a call of the step was prepared with another execution context: prepare all with the same',
      );
    const direct = bound.map((one): StepCall | null => {
      const args = one.stepArguments;
      return args && { call: one.engineCall, args };
    });
    const stepCalls = direct.filter((one) => one !== null);
    const engine = ctx.engines.accelerator;
    const fused =
      engine?.prepareStep && stepCalls.length > 0 && stepCalls.length === calls.length
        ? engine.prepareStep(stepCalls)
        : null;
    return new Step(ctx, calls, bound, fused);
  });
}

/** @throws CorpuscleError WRONG_TYPE */
function checkCalls(calls: unknown): void {
  const isCall = (one: unknown) => typeof (one as PreparedCall | null)?.run === 'function';
  if (Array.isArray(calls) && calls.every(isCall)) return;
  throw new CorpuscleError(
    'WRONG_TYPE',
    'the calls of a step are no array of prepared calls: give what prepareCellParticles and the other prepare functions have made',
  );
}

class Step implements PreparedStep {
  readonly #ctx: ExecutionContext;
  readonly #calls: readonly PreparedCall<never, unknown>[];
  readonly #bound: readonly BoundCall<unknown>[];
  readonly #fused: EngineStep | null;
  readonly #used: readonly FieldBlock[];
  readonly #written: readonly FieldBlock[];
  #closed = false;

  constructor(
    ctx: ExecutionContext,
    calls: readonly PreparedCall<never, unknown>[],
    bound: readonly BoundCall<unknown>[],
    fused: EngineStep | null,
  ) {
    this.#ctx = ctx;
    this.#calls = calls;
    this.#bound = bound;
    this.#fused = fused;
    this.#used = [...new Set(bound.flatMap(({ used }) => used))];
    this.#written = bound.flatMap(({ written }) => written);
  }

  run(times = 1): void | Promise<void> {
    if (this.#closed || this.#ctx.closed)
      throw new CorpuscleError('CLOSED', 'the step is closed: prepare it again');
    if (!Number.isInteger(times) || times < 0)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `a step cannot be made ${times} times: give a whole number ≥ 0`,
      );
    for (const call of this.#bound) call.checkOpen();
    for (let left = times; left > 0; ) {
      const made = this.#passes(left);
      if (typeof made !== 'number') return this.#goOn(made, left);
      left -= made;
    }
    return undefined;
  }

  async #goOn(first: Promise<number>, times: number): Promise<void> {
    for (let left = times - (await first); left > 0; ) left -= await this.#passes(left);
  }

  /** @returns how many of them it made */
  #passes(most: number): number | Promise<number> {
    const { order, engines } = this.#ctx;
    if (!order.idle) return order.settled().then(() => this.#passes(most));
    if (this.#fused === null) {
      for (let k = 0; k < this.#calls.length; k++) this.#calls[k]!.run();
      return 1;
    }
    announce(this.#written);
    engines.host.finish(this.#used);
    return this.#fused.run(most);
  }

  get isSame(): boolean {
    return this.#fused?.isSame === true;
  }

  get isShared(): boolean {
    return this.#fused?.isShared === true;
  }

  explain(): string {
    return this.#fused?.explain?.() ?? 'its calls are made one by one';
  }

  close(): void {
    this.#closed = true;
    this.#fused?.close();
  }
}
