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
  type ResultRecord,
  reductionOf,
  valuesOf,
} from '@corpuscle/functor/ir';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { combined } from '../handles/combined.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { ParticleAdaptations } from '../plan/adapt/adaptParticles.js';
import { atCaller } from '../plan/atCaller.js';
import type { ResultPlaces, Totals } from '../plan/calls.js';
import { checkCall } from '../plan/checkCall.js';
import type { Decision } from '../plan/chooseBackend.js';
import { gridBlocks } from '../plan/gridBlocks.js';
import type { CallParams } from '../value/ContextValue.js';
import { type ContextValue, placeOfResults } from '../value/ContextValue.js';
import { type CallOptions, inTurn } from './dispatch.js';
import { engineFor } from './engineFor.js';
import { decisionFor } from './explain.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';
import { type BoundFunctor, bindFunctor, type FieldOptions } from './particleFields.js';
import { type RowSelection, rowSelection, type SelectionOptions } from './rowSelection.js';

/** Which particles a reduction takes, and its parameters. */
export interface ReduceOptions<P>
  extends CallOptions,
    SelectionOptions,
    FieldOptions,
    ParticleAdaptations {
  /** One value for every parameter of the functor. */
  readonly params?: CallParams<P>;
  /**
   * A value of the context that has the names of the results, in their order: it gets them instead of the host, and the handle
   * gives nothing. Initial values must not be given. Only for results that are real numbers.
   */
  readonly into?: ContextValue;
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
 * CPU gives the same bits for any number of threads; `order: 'ids'` also for any order of the particles. Loops that make
 * the same call again and again prepare it once with `prepareReduction`.
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
  return atCaller(reduceCellParticles, () =>
    prepareReduction(grid, functor, initial, ctx, options).run(),
  );
}

/**
 * Checks, plans and binds a reduction, which `run` then makes as often as needed. Parameters are given here, or to `run`.
 * @throws as reduceCellParticles, except for parameters that are missing: `run` may give them.
 * @example
 * const kinetic = prepareReduction(grid, kineticTensor, {}, ctx);
 * const { xx } = await kinetic.run();
 */
export function prepareReduction<R extends ResultSchema, P extends ParamSchema>(
  grid: Grid,
  functor: ReduceFunctor<R, P>,
  initial: InitialValues<R>,
  ctx: ExecutionContext,
  options: ReduceOptions<P> = {},
): PreparedCall<ParamValues<P>, ResultValues<R>> {
  return atCaller(prepareReduction, () => {
    checkCall({ grid, functor, initial, ctx, options }, 'reduceCellParticles');
    const decision = decisionFor(functor, ctx, { ...options, size: grid.count });
    const bound = bindFunctor(functor as Functor<'reduce'>, grid, ctx, options);
    checkNames(functor, initial);
    const selection = rowSelection(grid, ctx, options);
    const isRecord = isStructured(functor) || options.cells || options.order === 'ids';
    if (isRecord && options.into)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the results of functor '${functor.name}' cannot go into a value: they form a record, or follow cells or ids`,
      );
    const prepared = isRecord
      ? prepareRecord(grid, initial, ctx, options, { decision, bound, selection })
      : preparePlain(grid, startingValues(functor, initial), ctx, options, { decision, bound });
    return prepared as PreparedCall<object, unknown> as PreparedCall<
      ParamValues<P>,
      ResultValues<R>
    >;
  });
}

/** What a call was found to be. */
interface Found {
  readonly decision: Decision;
  readonly bound: BoundFunctor<Functor<'reduce'>>;
}

function preparePlain(
  grid: Grid,
  initial: Totals,
  ctx: ExecutionContext,
  options: ReduceOptions<unknown>,
  { decision, bound }: Found,
): BoundCall<Totals> {
  const { functor } = bound;
  const engine = engineFor(ctx, decision.backend);
  const into = placesFor(functor, initial, options);
  return new BoundCall({
    ctx,
    name: functor.name,
    decision,
    call: engine.prepareReduction({ grid, functor, initial, into }),
    grid,
    used: gridBlocks(functor, grid),
    ...(options.into && { values: [options.into] }),
    options,
    ready: bound.ready,
    references: bound.references,
    params: bound.params,
    complete: bound.complete,
  });
}

/** @throws CorpuscleError INVALID_VALUE for results that a value cannot hold. */
function placesFor(
  functor: Functor<'reduce'>,
  initial: Totals,
  { into }: { readonly into?: ContextValue | undefined },
): ResultPlaces | undefined {
  if (!into) return undefined;
  const results = plainResults(functor);
  const names = Object.keys(initial);
  const isReal = names.every((name) => functor.ir?.roles.acc?.[name]?.type === 'real');
  const isNeutral = names.every((name) => initial[name] === neutral[results[name]!]);
  if (isReal && isNeutral) return placeOfResults(functor.name, names, into);
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the results of functor '${functor.name}' cannot go into a value: ${isReal ? 'leave initial values out' : 'only real numbers can'}`,
  );
}

/** A reduction whose results form a record, or that follows a list of rows. */
function prepareRecord(
  grid: Grid,
  initial: Readonly<Record<string, unknown>>,
  ctx: ExecutionContext,
  options: ReduceOptions<unknown>,
  { decision, bound, selection: { rows, ready } }: Found & { readonly selection: RowSelection },
): PreparedCall<object, unknown> {
  const reduction = reductionOf(bound.functor);
  initialRecord(reduction, initial); // what is wrong with it is said now
  const begin = { ...initial };
  const { functor } = bound;
  const call = new BoundCall({
    ctx,
    name: functor.name,
    decision,
    call: engineFor(ctx, decision.backend).prepareRecords({ grid, functor, reduction }),
    grid,
    used: gridBlocks(reduction.functor, grid),
    options,
    ready: bound.ready || ready ? () => inTurn(bound.ready, ready) : null,
    rows: ready ? rows : undefined,
    references: bound.references,
    params: bound.params,
    complete: bound.complete,
  });
  const complete = (record: ResultRecord): unknown => {
    const start = initialRecord(reduction, begin);
    if (grid.count > 0) reduction.combine(start, record);
    return valuesOf(reduction, start);
  };
  return {
    explain: decision,
    run: (params) => combined([call.run(params)], ([record]) => complete(record!)),
    close: () => call.close(),
  };
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
