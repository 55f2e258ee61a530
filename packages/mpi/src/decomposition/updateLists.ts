import type { Grid } from '@corpuscle/core';
import type { HostEngine, NeighborUpdate } from '@corpuscle/patterns';

/** How far lists must reach. A box may allow a smaller skin only. */
export interface Reach {
  readonly rcut: number;
  readonly skin: number;
}

const NOW = { params: {}, asynchronous: false } as const;

/** Builds the lists of one grid of this rank, or lets them serve in the box as it is: all ranks decide which. */
export function updateLists(
  engine: HostEngine,
  grid: Grid,
  { rcut, skin }: Reach,
  build: 'always' | 'never',
): NeighborUpdate {
  const force = build === 'always' ? true : 'never';
  return engine.prepareLists({ grid, rcut, skin, tuned: false, force, ahead: false }).run(NOW)
    .value;
}
