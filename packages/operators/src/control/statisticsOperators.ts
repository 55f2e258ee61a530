import { defineOperator, dimensions } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import {
  computeCellParticlePairs,
  pairFunctor,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';
import { defineAnalysis } from '../analyses/define/defineAnalysis.js';
import { looksAtFrame, slotsAlone } from '../analyses/define/looksAtFrame.js';
import { everySlots, stepsBetween } from '../run/frameSlots.js';
import { contextOf, gridKey, planKey, statisticsKey } from '../run/stateKeys.js';

const MEGABYTE = 1 << 20;

export const memoryStats = defineOperator({
  name: 'memory_stats',
  doc: 'Says how much memory the process has, how much of it is the shared heap, and how much each field of the particles takes; of all ranks together.',
  slots: {
    ...everySlots('reports'),
    process_bytes: { type: 'integer', direction: 'output', doc: 'memory of the process' },
    heap_bytes: {
      type: 'integer',
      direction: 'output',
      doc: 'of it, handed out by the shared heap',
    },
  },
  every: stepsBetween,
  hostOnly: true,
  ...slotsAlone,
  execute({ state, set }) {
    const grid = state.find(gridKey);
    const own = Float64Array.of(host.residentBytes(), grid?.heap.allocatedBytes ?? 0);
    const [rss, heap] = contextOf(state).engines.host.sumShared?.(own) ?? own;
    set('process_bytes', rss);
    set('heap_bytes', heap);
    const fields = [...(grid?.blocks.values() ?? [])].map(
      ({ spec, bytesPerRow }) => `${spec.name} ${inMegabytes(grid!.total * bytesPerRow)}`,
    );
    const more = fields.length > 0 ? `; ${fields.join(', ')}` : '';
    state.say(`memory: process ${inMegabytes(rss)} MiB, heap ${inMegabytes(heap)} MiB${more}`);
  },
});

const inMegabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(2);

/** How many neighbors a particle has. */
export const countBlock = {
  name: 'neighbor_count',
  type: 'f64',
  width: 4,
  members: ['neighbor_count', null, null, null],
} as const;

const countNeighbors = pairFunctor(
  { name: 'count_neighbors', central: { neighbor_count: 'real' }, traits: { newton3: true } },
  (i) => {
    i.neighbor_count += 1;
  },
);

const rangeOfCounts = reduceFunctor(
  {
    name: 'range_of_counts',
    result: { sum: 'sum', least: 'min', most: 'max' },
    read: { neighbor_count: 'real' },
    traits: { gpu: true },
  },
  (acc, i) => {
    acc.sum += i.neighbor_count;
    acc.least = Math.min(acc.least, i.neighbor_count);
    acc.most = Math.max(acc.most, i.neighbor_count);
  },
);

export const neighborStats = defineAnalysis({
  name: 'neighbor_stats',
  doc: 'Says how many neighbors particles have within a cutoff: mean, least and most; and how often lists were built.',
  slots: {
    rcut: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'how far they are counted; default: the cutoff of the run',
    },
    mean_neighbors: { type: 'number', direction: 'output', doc: 'the mean' },
    least_neighbors: { type: 'integer', direction: 'output', doc: 'of any particle' },
    most_neighbors: { type: 'integer', direction: 'output', doc: 'of any particle' },
  },
  functors: [countNeighbors, rangeOfCounts],
  ...looksAtFrame(countBlock.name),
  async frame({ slots, state, ctx, neighbors, set }) {
    const rcut = slots.rcut ?? state.get(planKey).lists.rcut;
    const near = await neighbors(rcut);
    near.grid.addBlock(countBlock);
    const counts = near.grid.block(countBlock.name);
    counts.array.fill(0 as never);
    counts.rewritten();
    await computeCellParticlePairs(near.grid, countNeighbors, ctx, { rcut });
    const found = await reduceCellParticles(
      near.grid,
      rangeOfCounts,
      { sum: 0, least: Number.MAX_VALUE, most: 0 },
      ctx,
    );
    const mean = found.sum / near.grid.count;
    set('mean_neighbors', mean);
    set('least_neighbors', found.least);
    set('most_neighbors', found.most);
    const builds = state.find(statisticsKey)?.updates.rebuilds;
    const lists = builds === undefined ? '' : `; lists built ${builds} times`;
    state.say(`neighbors: ${mean.toFixed(2)} (${found.least} to ${found.most})${lists}`);
  },
});
