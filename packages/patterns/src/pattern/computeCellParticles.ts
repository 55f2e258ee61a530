import type { FieldBlock, Grid } from '@corpuscle/core';
import type {
  CellFunctor,
  FieldSchema,
  Functor,
  ParamSchema,
  ParamValues,
} from '@corpuscle/functor';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { isRepeatableCell } from '../context/repeats/isRepeatable.js';
import { announce, announceWrites } from './announceWrites.js';
import type { BackendName } from './chooseBackend.js';
import {
  type CallOptions,
  deviceAtOnce,
  deviceNow,
  dispatch,
  inTurn,
  isAsynchronous,
  type Readying,
} from './dispatch.js';
import { decide } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import type { CellCall } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';
import { lastingValues } from './parameterValues.js';
import { bindFunctor, type FieldOptions } from './particleFields.js';
import { type RowSelection, rowSelection, type SelectionOptions } from './rowSelection.js';

/** Which particles a call takes, and its parameters. */
export interface CellOptions<P> extends CallOptions, SelectionOptions, FieldOptions {
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
}

const NO_OPTIONS = Object.freeze({});

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
  options: CellOptions<P> = NO_OPTIONS,
): PatternHandle<void> {
  const again = ctx.repeats.cell(grid, functor, options);
  const device = again === null ? null : deviceNow(ctx, again.used);
  if (again === null || device === null) return newCall(grid, functor, ctx, options);
  announce(again.written);
  return ctx.watched(device.computeCellParticles(again.call));
}

/** A call that is not the same as one before. */
function newCall<F extends FieldSchema, P extends ParamSchema>(
  grid: Grid,
  functor: CellFunctor<F, P>,
  ctx: ExecutionContext,
  options: CellOptions<P>,
): PatternHandle<void> {
  const { backend } = decide(functor, ctx, options, grid.count);
  const bound = bindFunctor(functor as Functor<'cell'>, grid, ctx, options);
  const selection = rowSelection(grid, ctx, options);
  const written = announceWrites(bound.functor, grid);
  const blocks = gridBlocks(bound.functor, grid);
  const lasting = bound.functor === functor && isRepeatableCell(options);
  const call: CellCall = {
    grid,
    functor: bound.functor,
    params: lasting ? lastingValues(bound.params) : bound.params,
    lasting,
    asynchronous: isAsynchronous(options),
    lane: options.lane,
    rows: undefined,
  };
  if (!bound.ready && !selection.ready) {
    const device = deviceAtOnce(ctx, backend, blocks, options);
    if (device && lasting) ctx.repeats.keepCell(functor, options, { call, used: blocks, written });
    if (device) return ctx.watched(device.computeCellParticles(call));
  }
  return inItsTurn(ctx, backend, blocks, call, bound, selection, options);
}

function inItsTurn(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  call: CellCall,
  bound: { readonly ready: Readying },
  { rows, ready }: RowSelection,
  { lane, onComplete }: CallOptions,
): PatternHandle<void> {
  return dispatch(
    ctx,
    backend,
    blocks,
    call.grid,
    (engine) => engine.computeCellParticles({ ...call, rows: rows() }),
    { lane, onComplete, ready: () => inTurn(bound.ready, ready) },
  );
}
