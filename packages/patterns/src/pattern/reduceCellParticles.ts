import { CorpuscleError, type Grid } from '@corpuscle/core';
import type {
  Functor,
  InitialValues,
  ParamSchema,
  ParamValues,
  ReduceFunctor,
  ReduceOp,
  ResultSchema,
  ResultValues,
} from '@corpuscle/functor';
import {
  initialRecord,
  isStructured,
  plainResults,
  reductionOf,
  valuesOf,
} from '@corpuscle/functor/ir';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { isRepeatableReduction } from '../context/repeats/isRepeatable.js';
import type { BackendName } from './chooseBackend.js';
import { combined } from './combined.js';
import {
  type CallOptions,
  deviceAtOnce,
  deviceNow,
  dispatch,
  inTurn,
  isAsynchronous,
} from './dispatch.js';
import { decide } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import type { ReduceCall, Totals } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';
import { lastingValues } from './parameterValues.js';
import { type BoundFunctor, bindFunctor, type FieldOptions } from './particleFields.js';
import { type RowSelection, rowSelection, type SelectionOptions } from './rowSelection.js';

/** Which particles a reduction takes, and its parameters. */
export interface ReduceOptions<P> extends CallOptions, SelectionOptions, FieldOptions {
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
}

const neutral: Record<ReduceOp, number> = {
  sum: 0,
  max: Number.NEGATIVE_INFINITY,
  min: Number.POSITIVE_INFINITY,
};

/**
 * Reduces over the particles of the grid, in three stages that the user writes once: the functor takes particles into
 * results of their own, results are combined chunk by chunk as their declarations say (or by the functor's `combine`), and
 * the initial values are combined with the outcome. These count exactly once whatever the number of threads (default: 0
 * for sums, −∞ for max, ∞ for min, the identity of results declared `real`). Everything is combined in a fixed order: the
 * CPU gives the same bits for any number of threads; `order: 'ids'` also for any order of the particles.
 *
 * @throws CorpuscleError UNKNOWN_FIELD when the grid lacks a field of the functor, UNKNOWN_KEY for an unknown result,
 *   NOT_SORTED when `cells` are given and there are none.
 * @example
 * const { norm } = await reduceCellParticles(grid, sumForceNorm, { norm: 0 }, ctx);
 */
export function reduceCellParticles<R extends ResultSchema, P extends ParamSchema>(
  grid: Grid,
  functor: ReduceFunctor<R, P>,
  initial: InitialValues<R>,
  ctx: ExecutionContext,
  options: ReduceOptions<P> = NO_OPTIONS,
): PatternHandle<ResultValues<R>> {
  const again = ctx.repeats.reduction(grid, functor, options, initial);
  const device = again === null ? null : deviceNow(ctx, again.used);
  const handle =
    again === null || device === null
      ? newCall(grid, functor, initial, ctx, options)
      : ctx.watched(device.reduceCellParticles(again.call));
  return handle as PatternHandle<unknown> as PatternHandle<ResultValues<R>>;
}

const NO_OPTIONS = Object.freeze({});

/** A call that is not the same as one before. */
function newCall<R extends ResultSchema, P extends ParamSchema>(
  grid: Grid,
  functor: ReduceFunctor<R, P>,
  initial: InitialValues<R>,
  ctx: ExecutionContext,
  options: ReduceOptions<P>,
): PatternHandle<unknown> {
  const { backend } = decide(functor, ctx, options, grid.count);
  const bound = bindFunctor(functor as Functor<'reduce'>, grid, ctx, options);
  checkNames(functor, initial);
  const selection = rowSelection(grid, ctx, options);
  if (isStructured(functor) || options.cells || options.order === 'ids')
    return recordCall(grid, initial, ctx, options, { backend, bound, selection });
  const { lane } = options;
  const call: ReduceCall = {
    grid,
    functor: bound.functor,
    params: bound.params,
    lasting: false,
    initial: startingValues(functor, initial),
    asynchronous: isAsynchronous(options),
    lane,
  };
  const used = gridBlocks(bound.functor, grid);
  const device = bound.ready ? null : deviceAtOnce(ctx, backend, used, options);
  if (!device) {
    return dispatch(ctx, backend, used, grid, (engine) => engine.reduceCellParticles(call), {
      ...options,
      ready: bound.ready,
    });
  }
  const kept = lasting(call);
  if (bound.functor === functor && isRepeatableReduction(options))
    ctx.repeats.keepReduction(functor, options, initial, { call: kept, used, written: [] });
  return ctx.watched(device.reduceCellParticles(kept));
}

/** What a call was found to be. */
interface Found {
  readonly backend: BackendName;
  readonly bound: BoundFunctor<Functor<'reduce'>>;
  readonly selection: RowSelection;
}

/** A reduction whose results form a record, or that follows a list of rows. */
function recordCall(
  grid: Grid,
  initial: Readonly<Record<string, unknown>>,
  ctx: ExecutionContext,
  options: ReduceOptions<unknown>,
  { backend, bound, selection: { rows, ready } }: Found,
): PatternHandle<unknown> {
  const reduction = reductionOf(bound.functor);
  const start = initialRecord(reduction, initial);
  const { functor, params } = bound;
  const { lane } = options;
  const asynchronous = isAsynchronous(options);
  const call = { grid, functor, reduction, params, asynchronous, lane };
  const record = dispatch(
    ctx,
    backend,
    gridBlocks(reduction.functor, grid),
    grid,
    (engine) => engine.reduceRecords({ ...call, rows: rows() }),
    { ...options, ready: () => inTurn(bound.ready, ready) },
  );
  return combined([record], ([found]) => {
    if (grid.count > 0) reduction.combine(start, found!);
    return valuesOf(reduction, start);
  });
}

/** The call with parameters that nobody changes any more: a device may make it again. */
function lasting({ grid, functor, params, initial, asynchronous, lane }: ReduceCall): ReduceCall {
  const values = lastingValues(params);
  return { grid, functor, params: values, lasting: true, initial, asynchronous, lane };
}

function checkNames(
  { name: functor, spec }: Functor<'reduce'>,
  given: Readonly<Record<string, unknown>>,
): void {
  const schema: ResultSchema = spec.kind === 'reduce' ? spec.result : {};
  for (const name in given) {
    if (name in schema) continue;
    const has = Object.keys(schema).join(', ');
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor}' has no result '${name}' (it has: ${has})`,
    );
  }
}

function startingValues(
  functor: Functor<'reduce'>,
  given: Readonly<Record<string, unknown>>,
): Totals {
  const schema = plainResults(functor);
  const values: Totals = {};
  for (const name in schema) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'number') {
      throw new CorpuscleError(
        'WRONG_TYPE',
        `the initial value of '${name}' in functor '${functor.name}' must be a number`,
      );
    }
    values[name] = value ?? neutral[schema[name]!];
  }
  return values;
}
