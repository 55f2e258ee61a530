import type { Grid } from '@corpuscle/core';
import type {
  CellFunctor,
  FieldSchema,
  Functor,
  ParamSchema,
  ParamValues,
} from '@corpuscle/functor';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { ParticleAdaptations } from '../plan/adapt/adaptParticles.js';
import { blocksWritten } from '../plan/announceWrites.js';
import { atCaller } from '../plan/atCaller.js';
import { checkCall } from '../plan/checkCall.js';
import { gridBlocks } from '../plan/gridBlocks.js';
import type { CallParams } from '../value/ContextValue.js';
import { type CallOptions, inTurn } from './dispatch.js';
import { engineFor } from './engineFor.js';
import { decisionFor } from './explain.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';
import { bindFunctor, type FieldOptions } from './particleFields.js';
import { rowSelection, type SelectionOptions } from './rowSelection.js';

/** Which particles a call takes, and its parameters. */
export interface CellOptions<P>
  extends CallOptions,
    SelectionOptions,
    FieldOptions,
    ParticleAdaptations {
  /** One value for every parameter of the functor. */
  readonly params?: CallParams<P>;
}

/**
 * Calls a cell functor once for every particle of the grid, or of the cells given, in any order and in parallel. Loops
 * that make the same call again and again prepare it once with `prepareCellParticles`.
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
  return atCaller(computeCellParticles, () =>
    prepareCellParticles(grid, functor, ctx, options).run(),
  );
}

/**
 * Checks, plans and binds a call of a cell functor; `run` makes it as often as needed, with parameters from here or from there.
 * @throws as computeCellParticles, except for parameters that are missing: `run` may give them.
 * @example
 * const push = prepareCellParticles(grid, kick, ctx, { params: { halfDt: 0.0025 } });
 * for (let step = 0; step < 100; step++) push.run();
 */
export function prepareCellParticles<F extends FieldSchema, P extends ParamSchema>(
  grid: Grid,
  functor: CellFunctor<F, P>,
  ctx: ExecutionContext,
  options: CellOptions<P> = {},
): PreparedCall<ParamValues<P>> {
  return atCaller(prepareCellParticles, () => {
    checkCall({ grid, functor, ctx, options }, 'computeCellParticles');
    const decision = decisionFor(functor, ctx, { ...options, size: grid.count });
    const bound = bindFunctor(functor as Functor<'cell'>, grid, ctx, options);
    const selection = rowSelection(grid, ctx, options);
    const { ready } = bound;
    return new BoundCall({
      ctx,
      name: functor.name,
      decision,
      call: engineFor(ctx, decision.backend).prepareCells({ grid, functor: bound.functor }),
      grid,
      used: gridBlocks(bound.functor, grid),
      written: blocksWritten(bound.functor, grid),
      options,
      ready: ready || selection.ready ? () => inTurn(ready, selection.ready) : null,
      rows: selection.ready ? selection.rows : undefined,
      references: bound.references,
      params: bound.params,
      complete: bound.complete,
    }) as PreparedCall<ParamValues<P>>;
  });
}
