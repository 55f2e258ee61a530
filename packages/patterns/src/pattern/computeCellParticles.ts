import type { Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { CellFunctor, Functor } from '../functor/Functor.js';
import type { FieldSchema, ParamSchema, ParamValues } from '../functor/schema.js';
import { announceWrites } from './announceWrites.js';
import { type CallOptions, dispatch, inTurn, isAsynchronous } from './dispatch.js';
import { decide } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import type { PatternHandle } from './PatternHandle.js';
import { bindFunctor, type FieldOptions } from './particleFields.js';
import { rowSelection, type SelectionOptions } from './rowSelection.js';

export interface CellOptions<P> extends CallOptions, SelectionOptions, FieldOptions {
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
}

/**
 * Calls a cell functor once for every particle of the grid, or of the cells given, in any order and in parallel.
 *
 * @throws CorpuscleError UNKNOWN_FIELD when the grid lacks a field of the functor; see also `explain` and `checkParameters`.
 * @example
 * await computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
 */
export function computeCellParticles<F extends FieldSchema, P extends ParamSchema>(
  grid: Grid,
  functor: CellFunctor<F, P>,
  ctx: ExecutionContext,
  options: CellOptions<P> = {},
): PatternHandle<void> {
  const { backend } = decide(functor, ctx, options, grid.count);
  const bound = bindFunctor(functor as Functor<'cell'>, grid, ctx, options);
  const { lane, onComplete } = options;
  const { rows, ready } = rowSelection(grid, ctx, options);
  announceWrites(bound.functor, grid);
  return dispatch(
    ctx,
    backend,
    gridBlocks(bound.functor, grid),
    grid,
    (engine) =>
      engine.computeCellParticles({
        grid,
        functor: bound.functor,
        params: bound.params,
        asynchronous: isAsynchronous(options),
        lane,
        rows: rows(),
      }),
    { lane, onComplete, ready: () => inTurn(bound.ready, ready) },
  );
}
