import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Functor, ReduceFunctor } from '../functor/Functor.js';
import type { ParamSchema, ParamValues, ReduceOp, ResultSchema } from '../functor/schema.js';
import { checkParameters } from './checkParameters.js';
import { type CallOptions, dispatch } from './dispatch.js';
import { explain } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import type { Totals } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';

export interface ReduceOptions<P> extends CallOptions {
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
}

const neutral: Record<ReduceOp, number> = {
  sum: 0,
  max: Number.NEGATIVE_INFINITY,
  min: Number.POSITIVE_INFINITY,
};

/**
 * Reduces over all particles of the grid. Each result starts from its initial value, which counts exactly once whatever
 * the number of threads (default: 0 for sums, −∞ for max, ∞ for min). Sums are compensated between chunks of particles
 * and added in a fixed order: the CPU gives the same bits for any number of threads.
 *
 * @throws CorpuscleError UNKNOWN_FIELD when the grid lacks a field of the functor, UNKNOWN_KEY for an unknown result.
 * @example
 * const { norm } = await reduceCellParticles(grid, sumForceNorm, { norm: 0 }, ctx);
 */
export function reduceCellParticles<R extends ResultSchema, P extends ParamSchema>(
  grid: Grid,
  functor: ReduceFunctor<R, P>,
  initial: { readonly [K in keyof R]?: number },
  ctx: ExecutionContext,
  options: ReduceOptions<P> = {},
): PatternHandle<{ [K in keyof R]: number }> {
  const { backend } = explain(functor, ctx, options);
  const params = checkParameters(functor, options.params);
  const call = {
    grid,
    functor,
    params,
    initial: startingValues(functor, initial),
    asynchronous: options.asynchronous ?? false,
  };
  const handle = dispatch(ctx, backend, gridBlocks(functor, grid), grid, (engine) =>
    engine.reduceCellParticles(call),
  );
  return handle as PatternHandle<{ [K in keyof R]: number }>;
}

function startingValues(
  { name: functor, spec }: Functor<'reduce'>,
  given: Readonly<Record<string, unknown>>,
): Totals {
  const schema: ResultSchema = spec.kind === 'reduce' ? spec.result : {};
  const values: Totals = {};
  for (const name in schema) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'number') {
      throw new CorpuscleError(
        'WRONG_TYPE',
        `the initial value of '${name}' in functor '${functor}' must be a number`,
      );
    }
    values[name] = value ?? neutral[schema[name]!];
  }
  for (const name in given) {
    if (name in schema) continue;
    const has = Object.keys(schema).join(', ');
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor}' has no result '${name}' (it has: ${has})`,
    );
  }
  return values;
}
