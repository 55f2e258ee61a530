import { CorpuscleError, type Grid, type SimulationState } from '@corpuscle/core';
import { newestOnHost, updateNeighbors } from '@corpuscle/patterns';
import { listsReach, settled } from '../../run/freshness.js';
import { listBackendOf } from '../../run/listBackend.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { copyById } from './copyById.js';
import { copyOf } from './copyOf.js';

/** Particles whose neighbor lists reach a cutoff. */
export interface NeighborFrame {
  /**
   * The grid to call pair functors on: the run's own where its lists reach far enough, otherwise a copy with the same fields,
   * sorted in its own order. `id` names a particle in both.
   */
  readonly grid: Grid;
  /** The cutoff that was asked for, for pair calls. */
  readonly rcut: number;
  readonly isCopy: boolean;
  /** Brings the fields of a block from a copy to the run's grid, which gets the block if it has none. */
  bringBack(block: string): Promise<void>;
  /** Gives a copy back; nothing may be done with it afterwards. */
  close(): Promise<void>;
}

/**
 * Neighbors of all particles within any cutoff, at any step of a run, without touching the run: its lists, the order of its
 * particles and the interval of its rebuilds stay as they are.
 *
 *   cutoff ≤ that of the run's lists, these are current and
 *   where the operator's functors run                         ─▶   the run's grid
 *   otherwise                                                 ─▶   a copy of it, with exact lists of its own
 *
 * @param rcut a length; where it exceeds half a periodic width, neighbors count at each of their images
 * @throws CorpuscleError BOX_TOO_THIN, INVALID_VALUE
 * @example
 * const near = await neighborsWithin(state, 3.2);
 * computeCellParticlePairs(near.grid, functor, ctx, { rcut: near.rcut });
 * await near.close();
 */
export async function neighborsWithin(
  state: SimulationState,
  rcut: number,
): Promise<NeighborFrame> {
  if (!(rcut > 0 && Number.isFinite(rcut)))
    throw new CorpuscleError('INVALID_VALUE', `rcut is ${rcut}: give a positive length`);
  const grid = state.get(gridKey);
  const ctx = contextOf(state);
  grid.domain.checkReach(rcut);
  await settled(state);
  const asked = ctx.operatorBackend ?? ctx.backend;
  const isThere = asked === (listBackendOf(state.simulation, ctx.backend) ?? ctx.backend);
  if (isThere && listsReach(state) >= rcut) return ofRun(grid, rcut);
  await newestOnHost(grid, ctx);
  const copy = copyOf(grid, ctx);
  await updateNeighbors(copy, ctx, { rcut, skin: 0, force: true });
  return {
    grid: copy,
    rcut,
    isCopy: true,
    bringBack: (block) => copyById(block, copy, grid, ctx),
    async close() {
      await ctx.device?.finished(); // calls under way name its buffers
      copy.free();
    },
  };
}

const ofRun = (grid: Grid, rcut: number): NeighborFrame => ({
  grid,
  rcut,
  isCopy: false,
  bringBack: async () => {},
  close: async () => {},
});
