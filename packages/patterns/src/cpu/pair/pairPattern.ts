import type { NeighbourList } from '@corpuscle/core';
import type { PairCall, Totals } from '../../pattern/PatternEngine.js';
import type { CpuServices } from '../CpuServices.js';
import { inChunks, launch } from '../neighbours/launch.js';
import { neighbourList } from '../neighbours/updateNeighbours.js';
import { computeAllPairs } from './all/computeAllPairs.js';
import { type BoundArguments, bindArguments, narrowPositions } from './bindArguments.js';
import { compilePair } from './compilePair.js';
import { directPairs } from './directPairs.js';
import { outputBlocks, totalOutputs } from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import { type PairState, pairState } from './PairState.js';
import { reduceKernels, reductionEntry } from './reduceKernels.js';

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
 * @throws CorpuscleError NO_NEIGHBOUR_LISTS when `updateNeighbours` has not been called for this cutoff.
 */
export function computePairs(services: CpuServices, work: PairWork): Totals {
  const { grid, functor, rcut } = work;
  if (work.allPairs) return computeAllPairs(services, work, work.allPairs);
  if (functor.ir === null) {
    services.rows.flush();
    return directPairs(neighbourList(services, grid, 'full', rcut), work);
  }
  const state = pairState(grid);
  const { plan, kernel } = compilePair(services, state, work);
  const list = neighbourList(services, grid, plan.list, rcut);
  if (plan.scaffold === 'lanes4') narrowPositions(services, state, work);
  services.rows.flush();
  const bound = bindArguments(services, state, work, plan, list);
  try {
    const { bounds } = bound;
    launch(services, state.record, kernel, bound.values, {
      end: bounds[bounds.length - 1]!,
      schedule: { kind: 'static', bounds, chunk: CHUNK },
    });
    if (plan.buffers !== 'none') reduceBuffers(services, state, work, bound, plan, list);
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { block } of outputBlocks(plan)) grid.block(block).hostWritten();
  return collectTotals(services, state, plan, list);
}

// Rows of four numbers wait for what the caller does next with them; others are added at once.
function reduceBuffers(
  services: CpuServices,
  state: PairState,
  { grid }: PairWork,
  bound: BoundArguments,
  plan: PairPlan,
  list: NeighbourList,
): void {
  bound.reductions ??= outputBlocks(plan).map(({ block: name, width, storage }) => {
    const addresses = bound.buffers.get(name)!;
    const bytes = reductionEntry.bytes * addresses.length;
    const table = state.buffer(`reduction ${name}`).reserve(bytes);
    const entries = services.heap.i32(table, bytes / 4);
    const firstThread = list.segments.length - addresses.length;
    addresses.forEach((address, k) => {
      const { firstRow, endRow } = list.segments[firstThread + k]!;
      const units = [Math.floor((firstRow * width) / 4), Math.ceil((endRow * width) / 4)];
      entries.set([address, ...units, 0], 4 * k);
    });
    const to = storage === 'f64' || storage === 'f32' ? storage : 'i32';
    const from = plan.buffers === 'f32' ? 'f32' : to;
    const kernel = reduceKernels[`${from} ${to}` as keyof typeof reduceKernels]();
    const block = grid.block(name);
    const record = state.buffer(`reduce ${name}`).reserve(kernel.args.bytes);
    const values = { target: block.place, buffers: table, count: addresses.length };
    kernel.args.write(new DataView(services.heap.memory.buffer), record, values);
    return { kernel, record, blocks: [block] };
  });
  for (const work of bound.reductions) {
    const { width } = work.blocks[0]!.spec;
    if (width === 4) continue;
    const units = Math.ceil((grid.count * width) / 4);
    services.pool.run(work.kernel, work.record, 0, units, inChunks);
  }
  for (const work of bound.reductions) {
    if (work.blocks[0]!.spec.width === 4) services.rows.add(grid, work);
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
