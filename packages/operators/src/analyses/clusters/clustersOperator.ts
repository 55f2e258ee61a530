import { dimensions } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import type { SavedSeries } from '../define/FrameSeries.js';
import { groupMembers } from '../define/groupMembers.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { fieldById, frameFileSlot, frameTable } from '../define/perParticleTable.js';
import { quotient } from '../define/quotient.js';
import { reachesInBox } from '../define/reachesInBox.js';
import { clusterBlocks, findClusters, smallestLabel } from './clusters.js';

export const clustersOperator = defineAnalysis({
  name: 'clusters',
  doc: 'Clusters of particles: two that are closer than a cutoff are in one. The smallest id of its cluster is left in the field cluster of every particle, and its own id in those outside of the group.',
  slots: {
    cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'particles closer than this are in one cluster',
    },
    ...groupSlot,
    file: frameFileSlot('labels', 'how many clusters there are, the largest, and their mean size'),
    sizes: {
      type: 'file',
      mode: 'write',
      doc: 'a table of how many clusters of each size a frame has',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of that table' },
  },
  ...looksAtFrame(...clusterBlocks.map(({ name }) => name)),
  ...reachesInBox('cutoff'),
  functors: [smallestLabel],
  prepare: ({ slots, state }) => ({
    table: frameTable(state, 'clusters', slots.file),
    frames: 0,
    counts: new Map<number, number>(),
  }),
  async frame({ slots, state, grid, ctx, own, neighbors }) {
    const members = await groupMembers(state, grid, ctx, slots.group);
    const near = await neighbors(slots.cutoff);
    await findClusters(near.grid, ctx, slots.cutoff, members.options.particleFilter?.central);
    await near.bringBack(clusterBlocks[0].name);
    const cluster = await fieldById(grid, ctx, 'cluster');
    const labels = members.of(cluster);
    const sizes = new Map<number, number>();
    for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    own.frames++;
    let largest = 0;
    for (const size of sizes.values()) {
      largest = Math.max(largest, size);
      own.counts.set(size, (own.counts.get(size) ?? 0) + 1);
    }
    const mean = quotient(labels.length, sizes.size);
    const numbers = { clusters: sizes.size, largest, mean };
    await own.table.add(numbers, async () => ({ cluster: members.only(cluster) }));
  },
  save: ({ own }) => ({
    frames: own.frames,
    counts: [...own.counts].flat(),
    series: own.table.series.save(),
  }),
  restore({ own }, saved: Saved) {
    own.table.series.restore(saved.series);
    own.frames = saved.frames;
    for (let k = 0; k < saved.counts.length; k += 2)
      own.counts.set(saved.counts[k]!, saved.counts[k + 1]!);
  },
  async finish({ slots, state, own }) {
    await own.table.series.finish(undefined);
    const rows = [...own.counts].sort(([a], [b]) => a - b);
    const x = rows.map(([size]) => size);
    const y = rows.map(([, count]) => count / own.frames);
    if (slots.sizes !== undefined)
      await state.output.writeWhole(
        slots.sizes,
        `size,clusters\n${x.map((size, k) => `${size},${y[k]}\n`).join('')}`,
      );
    if (slots.plot === undefined) return;
    const plot = { title: 'Sizes of clusters', x: 'size', y: 'clusters a frame', bars: 1 };
    await state.output.writeWhole(slots.plot, plotSvg({ ...plot, series: [{ name: '', x, y }] }));
  },
});

type Saved = {
  readonly frames: number;
  readonly counts: readonly number[];
  readonly series: SavedSeries;
};
