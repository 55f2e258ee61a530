import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Engine } from '../engine/Engine.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { atCaller } from '../plan/atCaller.js';
import type { NeighborUpdate } from '../plan/calls.js';
import { checkCall } from '../plan/checkCall.js';
import type { BackendName, Decision } from '../plan/chooseBackend.js';
import { FIRST_SKIN } from '../plan/skin.js';
import type { CallOptions } from './dispatch.js';
import { engineFor } from './engineFor.js';
import { noteListBackend } from './listBackend.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';

/** How far lists reach, and when they are rebuilt. */
export interface NeighborOptions extends Pick<CallOptions, 'lane' | 'onComplete'> {
  /** Largest cutoff the lists must serve, in length units. */
  readonly rcut: number;
  /**
   * Lists hold pairs up to rcut + skin, so that they stay exact until a particle has moved skin / 2. `'auto'`, the default,
   * begins with 0.12 rcut; the CPU engine then adapts it to what lists and pairs cost, unless the context is deterministic.
   * The skin changes the order of sums, nothing else.
   */
  readonly skin?: number | 'auto';
  /** Rebuild even when nothing has moved. Default false. */
  readonly force?: boolean;
  /**
   * For loops of many steps that do not await the update. On the GPU the host then never waits to learn whether a rebuild
   * is due: lists are rebuilt at an interval that follows how far particles move, and should a list have been used too
   * long, or had too little room, the calls since then are repeated from a copy of the state. Results are the same; those
   * of calls arrive some steps later, or as soon as they are awaited. No effect on the CPU. Default false.
   */
  readonly ahead?: boolean;
  /** Return before the work is done, where that is possible. Default false. */
  readonly asynchronous?: boolean;
  /** Default: where the context, or the operator that makes the call, runs its functors. */
  readonly backend?: BackendName | undefined;
}

/**
 * Makes the grid's neighbor lists fit for pair calls up to rcut. They are rebuilt, and the particles sorted by cell, when a
 * particle has moved more than half the skin since the last build, when rcut has grown, or when `force` is set.
 * @throws CorpuscleError BOX_TOO_THIN when rcut exceeds 15 periodic widths, or half of one where calls weight pairs by id; NOT_FINITE for a position that is not a number.
 * @example
 * const { rebuilt } = await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
 */
export function updateNeighbors(
  grid: Grid,
  ctx: ExecutionContext,
  options: NeighborOptions,
): PatternHandle<NeighborUpdate> {
  return atCaller(updateNeighbors, () => prepareNeighborLists(grid, ctx, options).run());
}

/**
 * Prepares updates of a grid's neighbor lists, for loops.
 * @param options with `onUpdate` a function is told of every update, in order, when it is known what it found.
 * @throws as updateNeighbors for options; for the box and for positions when it is run.
 * @example
 * const lists = prepareNeighborLists(grid, ctx, { rcut: 2.5, skin: 0.3, ahead: true });
 * lists.run();
 */
export function prepareNeighborLists(
  grid: Grid,
  ctx: ExecutionContext,
  options: NeighborOptions & { readonly onUpdate?: (update: NeighborUpdate) => void },
): PreparedCall<object, NeighborUpdate> {
  return atCaller(prepareNeighborLists, () => {
    checkCall({ grid, ctx, options }, 'updateNeighbors');
    const { rcut, force = false, ahead = false, onUpdate } = options;
    const tuned = (options.skin ?? 'auto') === 'auto';
    const skin = tuned ? FIRST_SKIN * rcut : (options.skin as number);
    checkLengths(rcut, skin);
    const { listEngine, decision } = listEngineOf(grid, ctx, options.backend);
    const isTuned = tuned && !ctx.deterministic;
    const plan = { grid, rcut, skin, tuned: isTuned, force, ahead, onUpdate };
    const name = 'update neighbors';
    return new BoundCall({
      ctx,
      name,
      decision,
      call: listEngine.prepareLists(plan),
      grid,
      used: ctx.device ? 'all' : [], // a rebuild permutes every field
      options,
      params: {},
      complete: () => ({}),
    });
  });
}

/** The engine that keeps the lists: the one that was asked for, or the one where functors run, if it has lists of its own; else the CPU's. */
function listEngineOf(
  grid: Grid,
  ctx: ExecutionContext,
  given: BackendName | undefined,
): { listEngine: Required<Pick<Engine, 'prepareLists'>>; decision: Decision } {
  const asked = given ?? ctx.operatorBackend;
  const backend = asked ?? ctx.backend;
  const engine = engineFor(ctx, backend);
  const { host } = ctx.engines;
  const reason = asked ? `backend ${backend} was asked for` : 'functors run there';
  noteListBackend(grid, backend);
  if (engine.prepareLists)
    return {
      listEngine: engine as Required<Pick<Engine, 'prepareLists'>>,
      decision: { backend, form: 'particle', reason },
    };
  const why = `backend ${backend} has no lists of its own`;
  return { listEngine: host, decision: { backend: host.name, form: 'particle', reason: why } };
}

function checkLengths(rcut: number, skin: number): void {
  if (!(rcut > 0 && Number.isFinite(rcut)))
    throw new CorpuscleError('INVALID_VALUE', `rcut is ${rcut}: give a positive length`);
  if (!(skin >= 0 && Number.isFinite(skin)))
    throw new CorpuscleError('INVALID_VALUE', `skin is ${skin}: give a length ≥ 0, or 'auto'`);
}
