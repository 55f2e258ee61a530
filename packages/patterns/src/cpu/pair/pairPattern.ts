import type { Grid } from '@corpuscle/core';
import type { PairCall, Totals } from '../../plan/calls.js';
import type { CpuServices, PairServices } from '../CpuServices.js';
import { launch } from '../neighbors/launch.js';
import { neighborState } from '../neighbors/NeighborState.js';
import { neighborList } from '../neighbors/updateNeighbors.js';
import { computeAllPairs } from './all/computeAllPairs.js';
import { bindArguments, narrowPositions } from './bindArguments.js';
import { compilePair } from './compilePair.js';
import { directPairs } from './directPairs.js';
import { outputBlocks, totalOutputs, totalsOfThread } from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import { type PairState, pairState } from './PairState.js';
import { reduceBuffers } from './reduceBuffers.js';
import { noMoments, sumMoments } from './sumMoments.js';

/** List entries handed to a kernel at once: few enough that V8 tiers up early. */
const CHUNK = 256;

export type PairWork = Pick<
  PairCall,
  'grid' | 'functor' | 'params' | 'outputs' | 'rcut' | 'form' | 'allPairs'
>;

/**
 * Calls a pair functor for every pair within rcut, on all threads, and returns the outputs that were asked for as
 * totals. Outputs that go to particles are added to the grid's fields.
 *
 * @throws CorpuscleError NO_NEIGHBOR_LISTS when `updateNeighbors` has not been called for this cutoff.
 */
export function computePairs(services: PairServices, work: PairWork): Totals {
  const { grid, functor, rcut } = work;
  if (work.allPairs) return computeAllPairs(services, work, work.allPairs);
  if (functor.ir === null) {
    services.rows.flush();
    const list = neighborList(services, grid, 'full', rcut);
    return services.pool.main.directly(functor.name, (piece) => directPairs(list, work, piece));
  }
  const state = pairState(grid);
  const { plan, kernel } = compilePair(services, state, work);
  const list = neighborList(services, grid, plan.list, rcut);
  const before = momentsBefore(services, grid, plan);
  if (plan.scaffold === 'lanes4') narrowPositions(services, state, work);
  services.rows.flush();
  const bound = bindArguments(services, state, work, plan, list);
  try {
    const { bounds } = bound;
    const { tuner } = neighborState(grid);
    const started = tuner ? performance.now() : 0;
    launch(services, state.record, kernel, bound.values, {
      end: bounds[bounds.length - 1]!,
      schedule: { kind: 'static', bounds, chunk: CHUNK },
    });
    tuner?.computed(performance.now() - started);
    if (plan.buffers !== 'none') reduceBuffers(services, state, grid, { bound, plan });
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { block } of outputBlocks(plan)) grid.block(block).hostWritten();
  const sums = sumPieces(services, state, plan, bound.bounds.length - 1);
  return {
    ...totalsOf(plan, sums),
    ...(before && momentTotals(services, work, plan, sums, before)),
  };
}

/** What the kernel has added up, pieces of the list in their order. */
function sumPieces(
  { heap }: CpuServices,
  state: PairState,
  plan: PairPlan,
  pieces: number,
): readonly number[] {
  const count = totalsOfThread(plan);
  if (count === 0) return [];
  const partial = heap.f64(state.totals.address, count * pieces);
  return Array.from({ length: count }, (_, k) => {
    let sum = 0;
    for (let t = 0; t < pieces; t++) sum += partial[t * count + k]!;
    return sum;
  });
}

// A half list has seen each pair once: even outputs count for both sides, odd ones cancel.
function totalsOf(plan: PairPlan, sums: readonly number[]): Totals {
  const totals: Totals = {};
  totalOutputs(plan).forEach(({ field, parity }, k) => {
    totals[field] = plan.list === 'full' ? sums[k]! : parity === 'even' ? 2 * sums[k]! : 0;
  });
  return totals;
}

/** Moments of what particles have before the call; null where the plan has none. Forces that have just been cleared have no moments. */
function momentsBefore(services: PairServices, grid: Grid, { moments }: PairPlan): Totals | null {
  if (moments.length === 0) return null;
  const isZero = moments.every(({ of }) =>
    services.rows.willBeZero(grid.block(grid.field(of).block)),
  );
  return isZero ? noMoments(moments) : sumMoments(services, grid, moments);
}

/** @param before the moments of the particles before the call */
function momentTotals(
  services: PairServices,
  { grid }: PairWork,
  { moments }: PairPlan,
  sums: readonly number[],
  before: Totals,
): Totals {
  const after = sumMoments(services, grid, moments);
  const first = sums.length - moments.length;
  const totals: Totals = {};
  moments.forEach(({ field, factor }, k) => {
    totals[field] = 2 * factor * (after[field]! - before[field]! + sums[first + k]!);
  });
  return totals;
}
