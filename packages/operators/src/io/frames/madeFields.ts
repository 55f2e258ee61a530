import type { BlockSpec, SimulationState } from '@corpuscle/core';
import { centroBlock } from '../../analyses/centro_symmetry/centroSymmetry.js';
import { clusterBlocks } from '../../analyses/clusters/clusters.js';
import { structureBlock } from '../../analyses/common_neighbors/commonNeighbors.js';
import { stressBlocks } from '../../analyses/particle_stress/particleStress.js';
import { steinhardtBlock } from '../../analyses/steinhardt/steinhardt.js';
import { virialBlocks } from '../../forces/particleVirials.js';
import { madeAt } from '../../run/madeAt.js';

/** The blocks that analyses leave in particles, which belong to the step in which they were made. */
const BLOCKS: Readonly<Record<string, readonly Pick<BlockSpec, 'members'>[]>> = {
  particle_stress: [...stressBlocks, ...virialBlocks],
  centro_symmetry: [centroBlock],
  steinhardt: [steinhardtBlock],
  clusters: clusterBlocks,
  common_neighbors: [structureBlock],
};

const MAKERS = new Map(
  Object.entries(BLOCKS).flatMap(([maker, blocks]) =>
    blocks.flatMap(({ members }) => members.flatMap((name) => (name ? [[name, maker]] : []))),
  ) as [string, string][],
);

/** What a writer writes that an analysis has made. */
export interface Made {
  /** What it is to the user. */
  readonly what: string;
  /** The name of the operator that makes it. */
  readonly maker: string;
  /** The slot that names it. */
  readonly slot: 'fields' | 'properties';
}

/** What a writer with these slots writes that analyses make. */
export function madeFields(slots: {
  readonly fields?: unknown;
  readonly properties?: unknown;
}): readonly Made[] {
  const { fields, properties } = slots;
  const stresses = Array.isArray(fields) && fields.includes('stress');
  const named = (Array.isArray(properties) ? properties : []) as readonly string[];
  return [
    ...(stresses ? [{ what: 'stresses', maker: 'particle_stress', slot: 'fields' } as const] : []),
    ...named.flatMap((what) => {
      const maker = MAKERS.get(what);
      return maker === undefined ? [] : [{ what, maker, slot: 'properties' } as const];
    }),
  ];
}

/** A sentence about what a frame has of an earlier step, such as after a run that was interrupted; null where it has nothing of it. */
export function staleFields(
  state: SimulationState,
  slots: Parameters<typeof madeFields>[0],
): string | null {
  for (const { what, maker } of madeFields(slots)) {
    const step = madeAt(state, maker);
    if (step !== undefined && step !== state.step)
      return `writes ${what} of step ${step} in the frame of step ${state.step}: put ${maker} before it into the same list`;
  }
  return null;
}
