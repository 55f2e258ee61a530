import { strainOf } from '../box/DeviceStrain.js';
import { strainText } from '../box/strainText.js';
import type { KernelSource } from '../device/GpuKernel.js';
import { realType } from '../double/DeviceReals.js';
import { pairDoubleParams } from '../double/pairDoubles.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { combineWgsl } from '../wgsl/reduceWgsl.js';
import { treeMemoryWgsl, wholeTree } from '../wgsl/treeWgsl.js';
import { displacedWgsl } from './displaced.js';
import type { KernelRequest } from './KernelRequest.js';
import type { Total } from './totals.js';

type Bound = Pick<KernelSource, 'buffers' | 'params'>;

/** What NeighborhoodPairs binds to every kernel, one thread or a block of lanes a particle, in its order. */
export function neighborhoodBindings(
  { tables, reals }: KernelRequest,
  access: ParticleAccess,
  has: { readonly scattered: boolean; readonly totals: boolean },
): Bound {
  const buffers: KernelSource['buffers'] = [
    ...access.buffers,
    { name: 'counts', type: 'array<u32>', access: 'read' },
    { name: 'entries', type: 'array<vec4u>', access: 'read' },
    ...tables.buffers,
    ...(has.scattered
      ? [{ name: 'scattered', type: 'array<atomic<u32>>', access: 'read_write' } as const]
      : []),
    ...(has.totals
      ? [{ name: 'partials', type: 'array<vec2u>', access: 'read_write' } as const]
      : []),
  ];
  const params: KernelSource['params'] = {
    ...frameParams,
    center: 'vec4f',
    ...(reals.state === 'f64' ? pairDoubleParams : {}),
    ...access.params,
    ...tables.params,
    rcut2: realType(reals.pair),
    first: 'u32',
    end: 'u32',
    count: 'u32',
    firstGroup: 'u32',
    stride: 'u32',
    groups: 'u32',
    one: 'f32',
  };
  return { buffers, params };
}

/** Declarations that every such kernel begins with; `displaced` is among them. */
export function neighborhoodHead(
  { grid, orthorhombic, format, reals }: KernelRequest,
  access: ParticleAccess,
  totals: readonly Total[],
  lanes: number,
): string {
  const results = totals.map(({ result }) => result);
  const tree =
    results.length > 0
      ? treeMemoryWgsl(wholeTree(lanes), results.length) + combineWgsl(results)
      : '';
  const strain = strainOf(grid);
  return `${cellWgsl}${cellVectorWgsl(orthorhombic)}${strainText(strain, true)}${access.declarations}
${tree}
struct Buffer { count_: u32, lane_: u32, lanes_: u32 }
${displacedWgsl(reals, orthorhombic, format, strain !== undefined)}`;
}
