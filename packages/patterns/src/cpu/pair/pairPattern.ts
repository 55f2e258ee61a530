import type { NeighborList } from '@corpuscle/core';
import type { PairCall, Totals } from '../../plan/calls.js';
import type { CpuServices } from '../CpuServices.js';
import { launch } from '../neighbors/launch.js';
import { neighborState } from '../neighbors/NeighborState.js';
import { neighborList } from '../neighbors/updateNeighbors.js';
import { computeAllPairs } from './all/computeAllPairs.js';
import { bindArguments, narrowPositions } from './bindArguments.js';
import { compilePair } from './compilePair.js';
import { directPairs } from './directPairs.js';
import { outputBlocks, totalOutputs } from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import { type PairState, pairState } from './PairState.js';
import { reduceBuffers } from './reduceBuffers.js';

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
export function computePairs(services: CpuServices, work: PairWork): Totals {
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
    if (plan.buffers !== 'none') reduceBuffers(services, state, grid, { bound, plan, list });
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { block } of outputBlocks(plan)) grid.block(block).hostWritten();
  return collectTotals(services, state, plan, list);
}

// Threads in their order. A half list has seen each pair once: even outputs count for both sides, odd ones cancel.
function collectTotals(
  services: CpuServices,
  state: PairState,
  plan: PairPlan,
  list: NeighborList,
): Totals {
  const outputs = totalOutputs(plan);
  if (outputs.length === 0) return {};
  const partial = services.heap.f64(state.totals.address, outputs.length * list.segments.length);
  const totals: Totals = {};
  outputs.forEach(({ field, parity }, k) => {
    let sum = 0;
    for (let t = 0; t < list.segments.length; t++) sum += partial[t * outputs.length + k]!;
    totals[field] = plan.list === 'full' ? sum : parity === 'even' ? 2 * sum : 0;
  });
  return totals;
}
