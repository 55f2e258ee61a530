import type { Grid } from '@corpuscle/core';
import {
  computeCellParticlePairs,
  computeCellParticles,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import type { CoordinationSums } from './CoordinationSums.js';
import type { Members } from './Members.js';
import { neighborPairs, sharesAndTotals, sumsOf, zeroShares } from './neighborPairs.js';
import { smoothParameters } from './smooth.js';
import type { Switching } from './switching/Switching.js';

/** Cutoff that finds every pair of a switching function: one at exactly the range counts. */
export const listRange = (s: Switching): number => s.range * (1 + 1e-12);

/** Lists must reach at least this far, and then last until a particle has moved half the skin. */
export interface ListReach {
  readonly rcut: number;
  readonly skin: number | 'auto';
}

/**
 * Coordination over neighbor lists; shares are left in the grid's block `coordination`, wherever the functors ran.
 * Multiplicities must be in the block `coordination_groups` unless every particle counts once.
 *
 * @param reach 'current' where the lists reach far enough already
 */
export async function coordinationByLists(
  grid: Grid,
  ctx: ExecutionContext,
  s: Switching,
  { mode, everything }: Pick<Members, 'mode' | 'everything'>,
  reach: ListReach | 'current',
): Promise<CoordinationSums & { readonly rebuilt: boolean }> {
  const rcut = listRange(s);
  const updated =
    reach === 'current'
      ? { rebuilt: false }
      : updateNeighbors(grid, ctx, { rcut: Math.max(rcut, reach.rcut), skin: reach.skin });
  computeCellParticles(grid, zeroShares, ctx);
  const weights = everything ? 'all' : mode === 'two' ? 'two' : 'self';
  const functor = neighborPairs(s, weights);
  const totals = await computeCellParticlePairs(grid, functor, ctx, {
    rcut,
    params: smoothParameters(s),
    outputs: sharesAndTotals,
  });
  const { rebuilt } = await updated;
  // Every pair has been counted at both of its particles.
  return { ...sumsOf(totals, 0.5), rebuilt };
}
