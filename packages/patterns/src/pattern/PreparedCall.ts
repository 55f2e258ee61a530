import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import { fromCaller } from '@corpuscle/functor/error';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { EngineCall } from '../engine/Engine.js';
import type { Locate } from '../handles/located.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { announce } from '../plan/announceWrites.js';
import type { CallArguments, ParameterValues } from '../plan/calls.js';
import type { ValueReferences } from '../plan/checkParameters.js';
import type { Decision } from '../plan/chooseBackend.js';
import { keptValues } from '../plan/parameterValues.js';
import type { ContextValue } from '../value/ContextValue.js';
import { type HostNumbers, hostNumbers, placesOf } from '../value/references.js';
import { noteWriter } from '../value/writers.js';
import { type CallOptions, dispatch, inTurn, isAsynchronous, type Readying } from './dispatch.js';

/**
 * A call that has been checked, planned and bound to its grid once; running it is cheap.
 * @example
 * const push = prepareCellParticles(grid, kick, ctx, { params: { halfDt: 0.0025 } });
 * push.run();
 * push.run({ halfDt: 0.005 }); // once with another value
 */
export interface PreparedCall<P = Readonly<Record<string, unknown>>, R = void> {
  /** Where it runs, in which form, and why. */
  readonly explain: Decision;
  /**
   * Makes the call. @param params values for this run only, besides those that it was prepared with.
   * @throws CorpuscleError MISSING_VALUE, UNKNOWN_KEY, WRONG_TYPE, INVALID_VALUE for parameters; CLOSED after `close`.
   */
  run(params?: Partial<P>): PatternHandle<R>;
  /** Gives back what was bound; the call cannot be made any more. */
  close(): void;
}

/** What a call was found to be when it was prepared. */
export interface Preparation<R> {
  readonly ctx: ExecutionContext;
  readonly name: string;
  readonly decision: Decision;
  readonly call: EngineCall<R>;
  readonly grid?: Grid | undefined;
  /** Blocks that it uses, 'all' of the grid where it sorts, and those of them that it writes. */
  readonly used: readonly FieldBlock[] | 'all';
  readonly written?: readonly FieldBlock[];
  /** Values of the context that it writes. */
  readonly values?: readonly ContextValue[];
  readonly options: Pick<CallOptions, 'asynchronous' | 'lane' | 'onComplete'>;
  /** Brings about what the call needs, and the rows it works on then. */
  readonly ready?: Readying;
  readonly rows?: (() => Uint32Array | undefined) | undefined;
  /** Parameters that come from values of the context. */
  readonly references?: ValueReferences | undefined;
  /** The values it was prepared with; null where some are given only when it is run. */
  readonly params: ParameterValues | null;
  /** All values of a run, checked. */
  complete(params: object | undefined): ParameterValues;
}

/** A prepared call of any pattern. */
export class BoundCall<R> implements PreparedCall<Readonly<Record<string, unknown>>, R> {
  readonly explain: Decision;
  readonly engineCall: EngineCall<R>;
  readonly ctx: ExecutionContext;
  readonly written: readonly FieldBlock[];
  readonly #used: readonly FieldBlock[] | 'all';
  readonly #preparation: Preparation<R>;
  /** Values that it reads or writes. */
  readonly #values: readonly ContextValue[];
  readonly #asynchronous: boolean;
  /** Whether it goes straight to the device: in no lane of its own, with no callback and nothing to wait for. */
  readonly #isDirect: boolean;
  #args: CallArguments | null;
  /** Where the host has all values that are parameters. */
  #numbers: HostNumbers | null = null;
  /** Arguments with the latest of these values. */
  #present: { readonly params: Record<string, unknown>; readonly args: CallArguments } | null =
    null;
  /** Gives its errors the place of the operator that has prepared it. */
  readonly #locate: Locate | undefined;
  #closed = false;

  constructor(preparation: Preparation<R>) {
    const { ctx, decision, call, used, written = NOTHING, options, params, ready } = preparation;
    this.#preparation = preparation;
    this.ctx = ctx;
    this.#locate = ctx.locate;
    this.explain = decision;
    this.engineCall = call;
    this.#used = used;
    const { values = [], references = {} } = preparation;
    this.#values = [...values, ...Object.values(references).map(({ value }) => value)];
    this.checkOpen();
    this.written = written;
    this.#asynchronous = isAsynchronous(options);
    const isPlain = options.lane === undefined && !options.onComplete && !ready;
    const { accelerator } = ctx.engines;
    this.#isDirect =
      isPlain && decision.backend === accelerator?.name && accelerator.device !== undefined;
    this.#args = params && this.#argsOf(params);
  }

  run(params?: object): PatternHandle<R> {
    try {
      return this.#run(params);
    } catch (error) {
      throw fromCaller(error, this.run);
    }
  }

  #run(params: object | undefined): PatternHandle<R> {
    const { ctx } = this;
    const known = params === undefined && this.#args ? this.#args : this.#argsWith(params);
    const args = ctx.lane === undefined ? known : { lane: ctx.lane, ...known };
    this.checkOpen();
    announce(this.written);
    ctx.enter();
    if (!this.#isDirect || !ctx.order.idle) return this.#inItsTurn(args);
    ctx.engines.host.finish(this.used);
    return ctx.watched(this.engineCall.run(args), this.#locate);
  }

  /** Blocks that it uses; grids may get more of them. */
  get used(): readonly FieldBlock[] {
    return this.#used === 'all' ? [...this.#preparation.grid!.blocks.values()] : this.#used;
  }

  /** What a step makes it with; null where it must go another way than straight to the device. */
  get stepArguments(): CallArguments | null {
    return this.#isDirect && !this.#closed ? (this.#args ?? this.#argsWith(undefined)) : null;
  }

  close(): void {
    this.#closed = true;
  }

  #inItsTurn(args: CallArguments): PatternHandle<R> {
    const {
      decision,
      grid,
      options,
      ready = null,
      rows,
      call,
      references,
      values = [],
    } = this.#preparation;
    const numbers =
      decision.backend === 'webgpu' ? null : (this.#numbers ?? hostNumbers(references));
    if (numbers?.areHere) this.#numbers = numbers;
    const start = () => {
      const present = numbers ? this.#withNumbers(args, numbers) : args;
      return call.run(rows ? { ...present, rows: rows() } : present);
    };
    const all = numbers ? () => inTurn(ready, numbers.ready) : ready;
    const extras = { ...options, ready: all };
    const made = dispatch(this.ctx, decision.backend, this.used, grid, start, extras);
    for (const { engineValues } of values) noteWriter(engineValues, made);
    return made;
  }

  /** Arguments of which some are values. An engine of the host has read them when a call returns that is complete then. */
  #withNumbers(args: CallArguments, numbers: HostNumbers): CallArguments {
    const isRead = this.explain.backend === this.ctx.engines.host.name && !args.asynchronous;
    if (!isRead || !numbers.areHere || args !== this.#args)
      return { ...args, params: { ...args.params, ...numbers.now() } };
    if (!this.#present) {
      const params = { ...args.params };
      this.#present = { params, args: { ...args, params } };
    }
    numbers.into(this.#present.params);
    return this.#present.args;
  }

  #argsWith(params: object | undefined): CallArguments {
    return this.#argsOf(this.#preparation.complete(params));
  }

  #argsOf(params: ParameterValues): CallArguments {
    const { options, references } = this.#preparation;
    const kept = keptValues(params);
    const { lane } = options;
    const places = this.explain.backend === 'webgpu' ? placesOf(references) : {};
    return {
      params: { ...kept, ...places },
      asynchronous: this.#asynchronous,
      ...(lane !== undefined && { lane }),
    };
  }

  /** @throws CorpuscleError CLOSED for the call, its context, or a value; INVALID_VALUE for a value of another context */
  checkOpen(): void {
    const { name } = this.#preparation;
    if (this.#closed || this.ctx.closed)
      throw new CorpuscleError(
        'CLOSED',
        this.#closed
          ? `the prepared call of '${name}' is closed: prepare it again`
          : 'the execution context is closed: make a new one',
      );
    for (const value of this.#values) value.checkOwner(this.ctx.engines);
  }
}

const NOTHING: readonly FieldBlock[] = [];
