// An analysis of one's own: how many neighbors particles have within a cutoff that is its own affair, beside the
// potential energy. From this folder:
//                                    npx corpuscle run run.yaml --import neighborCounts.ts [--backend cpu|webgpu]
import { dimensions } from '@corpuscle/core';
import { defineAnalysis, ledgerKey } from '@corpuscle/operators';
import { computeCellParticlePairs, pairFunctor } from '@corpuscle/patterns';

const counting = pairFunctor(
  { name: 'count_neighbors', central: { neighbors: 'real' }, traits: { newton3: true } },
  (i) => {
    i.neighbors += 1;
  },
);

type Row = {
  readonly step: number;
  readonly neighbors: number;
  readonly energy: number;
};

export const neighborCounts = defineAnalysis({
  name: 'neighbor_counts',
  doc: 'Writes the mean number of neighbors within a cutoff, and the energy of a particle.',
  slots: {
    cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'neighbors are within it; it may be larger than that of the forces',
    },
    file: { type: 'file', mode: 'write', default: 'neighbors.csv', doc: 'a row for each frame' },
  },
  needs: ['energy'], // forces compute it in the steps in which this analysis runs, and in no others
  requires: [ledgerKey],
  prepare: () => [] as Row[],
  async frame({ slots, state, own, ctx, neighbors }) {
    const { grid, rcut } = await neighbors(slots.cutoff);
    const found = await computeCellParticlePairs(grid, counting, ctx, {
      rcut,
      outputs: { neighbors: 'total' },
    });
    const { energy } = await state.get(ledgerKey).totals();
    const { count } = grid;
    own.push({ step: state.step, neighbors: found.neighbors / count, energy: energy / count });
  },
  save: ({ own }) => [...own], // for checkpoints, so that a run that goes on has all rows
  restore: ({ own }, saved) => {
    own.push(...saved);
  },
  async finish({ slots, state, own }) {
    const rows = own.map(({ step, neighbors, energy }) => `${step},${neighbors},${energy}\n`);
    await state.output.writeWhole(slots.file, `step,neighbors,energy\n${rows.join('')}`);
  },
});
