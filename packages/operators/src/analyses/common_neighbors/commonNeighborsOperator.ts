import { dimensions } from '@corpuscle/core';
import { computeCellParticlePairs } from '@corpuscle/patterns';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import type { SavedSeries } from '../define/FrameSeries.js';
import { groupMembers } from '../define/groupMembers.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { fieldById, frameFileSlot, framePlotSlot, frameTable } from '../define/perParticleTable.js';
import { reachesInBox } from '../define/reachesInBox.js';
import { commonNeighbors, structureBlock, structures } from './commonNeighbors.js';

export const commonNeighborsOperator = defineAnalysis({
  name: 'common_neighbors',
  doc: 'Common neighbor analysis: the structure around every particle, 1 fcc, 2 hcp, 3 bcc, 4 icosahedral, 5 other. Left in the field structure.',
  slots: {
    cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'who is a neighbor: between the first and second shell in fcc and hcp (0.854 a), between the second and third in bcc (1.207 a)',
    },
    ...groupSlot,
    file: frameFileSlot('structures', 'how many particles are in each'),
    plot: framePlotSlot('how many particles are in each structure'),
  },
  ...looksAtFrame(structureBlock.name),
  ...reachesInBox('cutoff'),
  functors: [commonNeighbors],
  prepare: ({ slots, state }) => frameTable(state, 'common_neighbors', slots.file),
  async frame({ slots, state, grid, ctx, own, neighbors }) {
    const { cutoff } = slots;
    const members = await groupMembers(state, grid, ctx, slots.group);
    const near = await neighbors(cutoff);
    near.grid.addBlock(structureBlock);
    members.clear(near.grid, structureBlock.name);
    await computeCellParticlePairs(near.grid, commonNeighbors, ctx, {
      rcut: cutoff,
      params: { rcut2: cutoff * cutoff },
      ...members.options,
    });
    await near.bringBack(structureBlock.name);
    const structure = await fieldById(grid, ctx, 'structure');
    const counts = structures.slice(1).map((name, k) => {
      const found = members
        .of(structure)
        .reduce((sum, value) => sum + (value === k + 1 ? 1 : 0), 0);
      return [name, found] as const;
    });
    await own.add(Object.fromEntries(counts), async () => ({
      structure: members.only(structure),
    }));
  },
  save: ({ own }) => own.series.save(),
  restore: ({ own }, saved: SavedSeries) => own.series.restore(saved),
  finish: ({ slots, own }) => own.series.finish(slots.plot),
});
