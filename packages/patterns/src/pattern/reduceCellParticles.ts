import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Functor, ReduceFunctor } from '../functor/Functor.js';
import { isStructured, reductionOf } from '../functor/reduction/Reduction.js';
import { plainResults } from '../functor/reduction/resultSlots.js';
import { initialRecord, valuesOf } from '../functor/reduction/resultValues.js';
import type {
  InitialValues,
  ParamSchema,
  ParamValues,
  ReduceOp,
  ResultSchema,
  ResultValues,
} from '../functor/schema.js';
import { type CallOptions, deviceAtOnce, dispatch, inTurn, isAsynchronous } from './dispatch.js';
import { decide } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import { combined } from './handles.js';
import type { ReduceCall, Totals } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';
import { lastingValues } from './parameterValues.js';
import { bindFunctor, type FieldOptions } from './particleFields.js';
import { rowSelection, type SelectionOptions } from './rowSelection.js';

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
  options: ReduceOptions<P> = {},
): PatternHandle<ResultValues<R>> {
  const { backend } = decide(functor, ctx, options, grid.count);
  const bound = bindFunctor(functor as Functor<'reduce'>, grid, ctx, options);
  const { params } = bound;
  const asynchronous = isAsynchronous(options);
  checkNames(functor, initial);
  const { rows, ready } = rowSelection(grid, ctx, options);
  if (isStructured(functor) || options.cells || options.order === 'ids') {
    const reduction = reductionOf(bound.functor);
    const start = initialRecord(reduction, initial);
    const { lane } = options;
    const call = { grid, functor: bound.functor, reduction, params, asynchronous, lane };
    const blocks = gridBlocks(reduction.functor, grid);
    const record = dispatch(
      ctx,
      backend,
      blocks,
      grid,
      (engine) => engine.reduceRecords({ ...call, rows: rows() }),
      { ...options, ready: () => inTurn(bound.ready, ready) },
    );
    return combined([record], ([found]) => {
      if (grid.count > 0) reduction.combine(start, found!);
      return valuesOf(reduction, start) as ResultValues<R>;
    });
  }
  const { lane } = options;
  const call: ReduceCall = {
    grid,
    functor: bound.functor,
    params,
    lasting: false,
    initial: startingValues(functor, initial),
    asynchronous,
    lane,
  };
  const blocks = gridBlocks(bound.functor, grid);
  const device = bound.ready ? null : deviceAtOnce(ctx, backend, blocks, options);
  const handle = device
    ? ctx.watched(device.reduceCellParticles(lasting(call)))
    : dispatch(ctx, backend, blocks, grid, (engine) => engine.reduceCellParticles(call), {
        ...options,
        ready: bound.ready,
      });
  return handle as PatternHandle<unknown> as PatternHandle<ResultValues<R>>;
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
