import type { NeighbourList } from '@corpuscle/core';
import type { PairCall, Totals } from '../../pattern/PatternEngine.js';
import type { CpuServices } from '../CpuServices.js';
import { launch } from '../neighbours/launch.js';
import { neighbourList } from '../neighbours/updateNeighbours.js';
import { bindArguments } from './bindArguments.js';
import { compilePair } from './compilePair.js';
import { directPairs } from './directPairs.js';
import { outputBlocks, totalOutputs } from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import { type PairState, pairState } from './PairState.js';
import { reduceKernels } from './reduceKernels.js';

/** List entries handed to a kernel at once: few enough that V8 tiers up early. */
const CHUNK = 256;

export type PairWork = Pick<PairCall, 'grid' | 'functor' | 'params' | 'outputs' | 'rcut' | 'form'>;

/**
 * Calls a pair functor for every pair within rcut, on all threads, and returns the outputs that were asked for as
 * totals. Outputs that go to particles are added to the grid's fields.
 *
 * @throws CorpuscleError NO_NEIGHBOUR_LISTS when `updateNeighbours` has not been called for this cutoff.
 */
export function computePairs(services: CpuServices, work: PairWork): Totals {
  const { grid, functor, rcut } = work;
  if (functor.ir === null) {
    return directPairs(neighbourList(services, grid, 'full', rcut), work);
  }
  const state = pairState(grid);
  const { plan, kernel } = compilePair(services, state, work);
  const list = neighbourList(services, grid, plan.list, rcut);
  const bounds = entryBounds(list);
  const bound = bindArguments(services, state, work, plan, list, bounds);
  try {
    launch(services, state.record, kernel, bound.values, {
      end: bounds[bounds.length - 1]!,
      schedule: { kind: 'static', bounds, chunk: CHUNK },
    });
    if (plan.buffers !== 'none') reduceBuffers(services, state, work, plan, bound.buffers);
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { block } of outputBlocks(plan)) grid.block(block).hostWritten();
  return collectTotals(services, state, plan, list);
}

/** First entry of each thread's segment, counting over all, and the end. */
function entryBounds(list: NeighbourList): number[] {
  const bounds = [0];
  for (const segment of list.segments) bounds.push(bounds[bounds.length - 1]! + segment.entryCount);
  return bounds;
}

function reduceBuffers(
  services: CpuServices,
  state: PairState,
  { grid }: PairWork,
  plan: PairPlan,
  buffers: ReadonlyMap<string, readonly number[]>,
): void {
  for (const { block, width, storage } of outputBlocks(plan)) {
    const addresses = buffers.get(block)!;
    const table = state.reduction.reserve(4 * addresses.length);
    services.heap.u32(table, addresses.length).set(addresses);
    const to = storage === 'f64' || storage === 'f32' ? storage : 'i32';
    const from = plan.buffers === 'f32' ? 'f32' : to;
    const kernel = reduceKernels[`${from} ${to}` as keyof typeof reduceKernels]();
    launch(
      services,
      state.record,
      kernel,
      { target: grid.block(block).address, buffers: table, count: addresses.length },
      {
        end: Math.ceil((grid.count * width) / 4),
        schedule: { kind: 'dynamic', chunk: 2048 },
      },
    );
  }
}

// Threads in their order. A half list has seen each pair once: even outputs count for both sides, odd ones cancel.
function collectTotals(
  services: CpuServices,
  state: PairState,
  plan: PairPlan,
  list: NeighbourList,
): Totals {
  const outputs = totalOutputs(plan);
  const partial = services.heap.f64(state.totals.address, outputs.length * list.segments.length);
  const totals: Totals = {};
  outputs.forEach(({ field, parity }, k) => {
    let sum = 0;
    for (let t = 0; t < list.segments.length; t++) sum += partial[t * outputs.length + k]!;
    totals[field] = plan.list === 'full' ? sum : parity === 'even' ? 2 * sum : 0;
  });
  return totals;
}
