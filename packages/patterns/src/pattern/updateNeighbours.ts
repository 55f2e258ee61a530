import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { isRepeatableUpdate } from '../context/repeats/isRepeatable.js';
import { FIRST_SKIN } from '../cpu/neighbours/SkinTuner.js';
import { type BackendName, noGpu } from './chooseBackend.js';
import { type CallOptions, deviceAtOnce, deviceNow, dispatch, isAsynchronous } from './dispatch.js';
import type { NeighbourCall, NeighbourUpdate, PatternEngine } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';

/** How far lists reach, and when they are rebuilt. */
export interface NeighbourOptions extends Pick<CallOptions, 'lane' | 'onComplete'> {
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
   * is due: lists are rebuilt at an interval that follows the particles' motion, and should a list have been used too
   * long, or had too little room, the calls since then are repeated from a copy of the state. Results are the same; those
   * of calls arrive some steps later, or as soon as they are awaited. No effect on the CPU. Default false.
   */
  readonly ahead?: boolean;
  /** Return before the work is done, where that is possible. Default false. */
  readonly asynchronous?: boolean;
  /** Default: where the context runs its functors. */
  readonly backend?: BackendName;
}

const none: readonly FieldBlock[] = [];
const known = new WeakMap<Grid, readonly FieldBlock[]>();

/** All blocks of a grid; they only ever become more. */
function blocksOf(grid: Grid): readonly FieldBlock[] {
  let blocks = known.get(grid);
  if (blocks?.length !== grid.blocks.size) {
    blocks = [...grid.blocks.values()];
    known.set(grid, blocks);
  }
  return blocks;
}

/**
 * Makes the grid's neighbour lists fit for pair calls up to rcut. They are rebuilt, and the particles sorted by cell, when a
 * particle has moved more than half the skin since the last build, when rcut has grown, or when `force` is set.
 *
 * @throws CorpuscleError BOX_TOO_THIN when rcut exceeds half a periodic width; NOT_FINITE for a position that is not a number.
 * @example
 * const { rebuilt } = await updateNeighbours(grid, ctx, { rcut: 2.5, skin: 0.3 });
 */
export function updateNeighbours(
  grid: Grid,
  ctx: ExecutionContext,
  options: NeighbourOptions,
): PatternHandle<NeighbourUpdate> {
  const again = ctx.repeats.update(grid, options);
  const device = again === null ? null : deviceNow(ctx, again.used);
  return again === null || device === null
    ? newCall(grid, ctx, options)
    : ctx.watched(device.updateNeighbours(again.call));
}

/** A call that is not the same as the one before. */
function newCall(
  grid: Grid,
  ctx: ExecutionContext,
  options: NeighbourOptions,
): PatternHandle<NeighbourUpdate> {
  const { rcut, force = false, ahead = false, lane } = options;
  const asynchronous = isAsynchronous(options);
  const tuned = (options.skin ?? 'auto') === 'auto';
  const skin = tuned ? FIRST_SKIN * rcut : (options.skin as number);
  if (!(rcut > 0 && Number.isFinite(rcut))) {
    throw new CorpuscleError('INVALID_VALUE', `rcut is ${rcut}: give a positive length`);
  }
  if (!(skin >= 0 && Number.isFinite(skin))) {
    throw new CorpuscleError('INVALID_VALUE', `skin is ${skin}: give a length ≥ 0, or 'auto'`);
  }
  const backend = options.backend ?? ctx.backend;
  if (backend === 'webgpu' && !ctx.gpu) throw noGpu(ctx);
  // A rebuild permutes every field.
  const blocks = ctx.gpu ? blocksOf(grid) : none;
  const call = {
    grid,
    rcut,
    skin,
    tuned: tuned && !ctx.deterministic,
    force,
    ahead,
    asynchronous,
    lane,
  };
  const device = deviceAtOnce(ctx, backend, blocks, options);
  if (!device) return inItsTurn(ctx, backend, blocks, call, options);
  if (isRepeatableUpdate(options)) ctx.repeats.keepUpdate(options, call, blocks);
  return ctx.watched(device.updateNeighbours(call));
}

function inItsTurn(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  call: NeighbourCall,
  options: NeighbourOptions,
): PatternHandle<NeighbourUpdate> {
  const start = (engine: PatternEngine) => engine.updateNeighbours(call);
  return dispatch(ctx, backend, blocks, call.grid, start, options);
}
