import type { Grid } from '@corpuscle/core';
import type { KernelSource } from '../device/GpuKernel.js';
import { joinedParts, treeOf } from '../kernels/KernelPart.js';
import { ParticleAccess } from '../kernels/ParticleAccess.js';
import { type SweepParts, sweepPart } from './sweepPart.js';
import { TILE } from './TileWalk.js';

/** A sweep as a kernel of its own, and the blocks it uses. */
export interface SweepKernelText {
  readonly source: KernelSource;
  readonly blocks: readonly { name: string; written: boolean }[];
}

/** What the kernel does, stage by stage. */
const aboutSweep = (
  name: string,
  lanes: number,
): string => `Calls pair functor '${name}' for all pairs of few particles within the cutoff; ${lanes} threads share a particle.
  pack      a workgroup packs all particles
  near      distance to the nearest image; near neighbors are marked
  call      the functor for those
  store     sums are added to the rows of the particle, totals in a tree over the workgroup`;

/** @param lanes threads a particle. */
export function sweepKernel(parts: SweepParts, grid: Grid, lanes: number): SweepKernelText {
  const access = new ParticleAccess(grid, 'f32');
  const body = joinedParts([
    sweepPart(parts, access, lanes, { group: 'group', shape: treeOf(lanes) }),
  ]);
  const { fields, results } = body;
  const load = access.loadRows(fields, 'row', 'own');
  const store = access.storeRows(fields, 'row', 'own');
  const particles = TILE / lanes;
  const source: KernelSource = {
    label: parts.functor.name,
    about: aboutSweep(parts.functor.name, lanes),
    workgroupSize: TILE,
    buffers: [...access.buffers, ...body.buffers],
    params: {
      ...body.params,
      ...(results.length > 0 ? { groups: 'u32', one: 'f32' } : {}),
    },
    declarations: body.declarations,
    body: `
  let own = group * ${particles}u + lane % ${particles}u;
  let thread = lane / ${particles}u;
  ${body.before}
  if (own < P.particles && thread == 0u) {
    ${load}
    ${body.particle}
    ${store}
  }
  ${body.workgroup}`,
  };
  return { source, blocks: access.blocks };
}
