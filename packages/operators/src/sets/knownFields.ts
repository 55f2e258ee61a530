import { imageFlags, type OperatorNode, standardBlocks } from '@corpuscle/core';
import { centroBlock } from '../analyses/centro_symmetry/centroSymmetry.js';
import { clusterBlocks } from '../analyses/clusters/clusters.js';
import { structureBlock } from '../analyses/common_neighbors/commonNeighbors.js';
import { coordinationBlock } from '../analyses/coordination/neighborPairs.js';
import { stressBlocks } from '../analyses/particle_stress/particleStress.js';
import { steinhardtBlock } from '../analyses/steinhardt/steinhardt.js';
import { countBlock } from '../control/statisticsOperators.js';
import { virialBlocks } from '../forces/particleVirials.js';
import { known } from '../run/cutoffs.js';
import { heatBlock } from '../thermostats/heat.js';
import { GROUP_MASK } from './group/Groups.js';

/** Blocks that particles may have in a run: those of every grid, image flags, and what forces, thermostats and analyses leave in them. */
const blocks = [
  ...standardBlocks,
  imageFlags,
  ...virialBlocks,
  heatBlock,
  countBlock,
  coordinationBlock,
  centroBlock,
  steinhardtBlock,
  structureBlock,
  ...clusterBlocks,
  ...stressBlocks,
];
const fields = [
  GROUP_MASK,
  ...blocks.flatMap(({ members }) => members.flatMap((name) => name ?? [])),
];

/** Fields that particles may have in a run of these operators; null where operators of one's own may add others. */
export function knownFields(nodes: readonly OperatorNode[]): readonly string[] | null {
  const properties = nodes
    .filter(({ definition }) => definition.name === 'particle_properties')
    .map((node) => known(node, 'fields')?.value);
  if (properties.includes(undefined) || !nodes.every(({ isBuiltIn }) => isBuiltIn)) return null;
  return [...properties.flatMap((declared) => Object.keys(declared as object)), ...fields];
}
