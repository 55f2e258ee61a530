import type { Grid } from '@corpuscle/core';
import {
  cellFunctor,
  computeCellParticlePairs,
  computeCellParticles,
  type ExecutionContext,
  neighborhoodFunctor,
  type ParticleSelection,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';

/** Fields of a particle: the smallest id of its cluster, and the one that a pass finds. */
export const clusterBlocks = [
  { name: 'cluster', type: 'u32', width: 1, members: ['cluster'] },
  { name: 'next_cluster', type: 'u32', width: 1, members: ['next_cluster'] },
] as const;

const begin = cellFunctor(
  { name: 'begin_clusters', fields: { cluster: 'u32' }, read: { id: 'u32' } },
  (i) => {
    i.cluster = i.id;
  },
);

/** The smallest label among a particle and its neighbors. */
export const smallestLabel = neighborhoodFunctor(
  {
    name: 'smallest_label',
    central: { next_cluster: 'u32' },
    read: { cluster: 'u32' },
    neighbor: { cluster: 'u32' },
  },
  (i, b) => {
    let least = i.cluster;
    for (let k = 0; k < b.count; k++) {
      const label = b.cluster[k]!;
      if (label < least) least = label;
    }
    i.next_cluster = least;
  },
);

const differ = reduceFunctor(
  {
    name: 'clusters_differ',
    result: { changed: 'sum' },
    read: { cluster: 'u32', next_cluster: 'u32' },
  },
  (acc, i) => {
    acc.changed += i.cluster === i.next_cluster ? 0 : 1;
  },
);

const takeOver = cellFunctor(
  { name: 'take_over_clusters', fields: { cluster: 'u32' }, read: { next_cluster: 'u32' } },
  (i) => {
    i.cluster = i.next_cluster;
  },
);

/** Passes between two looks whether labels still change. */
const PASSES = 8;

/**
 * Gives every particle the smallest id of its cluster, in the field `cluster`: particles closer than `rcut` are in one. Labels travel
 * from neighbor to neighbor until none changes. Lists must be current and reach `rcut`.
 *
 * @param among the particles that make clusters, default all; others are one of their own each.
 *
 * @example
 * await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0 });
 * await findClusters(grid, ctx, 1.5);
 */
export async function findClusters(
  grid: Grid,
  ctx: ExecutionContext,
  rcut: number,
  among?: ParticleSelection,
): Promise<void> {
  const central = among && { particleFilter: { central: among } };
  const pairs = among && { particleFilter: { central: among, neighbor: among } };
  for (const spec of clusterBlocks) grid.addBlock(spec);
  computeCellParticles(grid, begin, ctx);
  for (;;) {
    for (let pass = 0; pass < PASSES; pass++) {
      if (pass > 0) computeCellParticles(grid, takeOver, ctx, { ...central });
      await computeCellParticlePairs(grid, smallestLabel, ctx, { rcut, ...pairs });
    }
    const { changed } = await reduceCellParticles(grid, differ, {}, ctx, { ...central });
    computeCellParticles(grid, takeOver, ctx, { ...central });
    if (changed === 0) return;
  }
}
