import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { plainResults } from '@corpuscle/functor/ir';
import type { Plan, ReduceCall } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import { functorText } from '../pattern/functorText.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { PartialSums } from '../pattern/PartialSums.js';
import { layoutKey, ParticleAccess } from '../pattern/ParticleAccess.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import {
  combineWgsl,
  type DeviceResult,
  identityOf,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';

const LANES = 256;
const MOST_GROUPS = 1024;

/** Workgroups of a reduction over so many particles. */
export const groupsFor = (count: number): number =>
  Math.min(MOST_GROUPS, Math.ceil(count / (4 * LANES)));

/** The kernel of a reduction, and what it uses. */
export interface ReductionProgram {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
  readonly results: readonly DeviceResult[];
  readonly sums: PartialSums;
}

/** What the kernel does, stage by stage. */
const aboutReduction = (name: string): string => `Reduce functor '${name}' over all particles.
  own       each thread combines particles that are far apart
  tree      the workgroup combines its threads in a fixed order and stores a partial result`;

/** Kernels of reduce functors, one for each layout of the fields they read. */
export class ReducePrograms {
  readonly #gpu: GpuDevice;
  readonly #kernels = new KernelCache<ReductionProgram>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  of({ functor, grid }: Plan<ReduceCall>): ReductionProgram {
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    return this.#kernels.get(functor, key, () => this.#build(functor, grid));
  }

  #build(functor: Functor<'reduce'>, grid: Grid): ReductionProgram {
    const ir = functor.ir!;
    const { state } = this.#gpu.reals;
    const tables = new FunctorTables(ir, '', state);
    const lowered = functorText(functor, ir, tables);
    const access = new ParticleAccess(grid, state);
    const ops = plainResults(functor);
    const results = lowered.fields.acc.map(
      ({ field, type }): DeviceResult => ({ name: field, type, op: ops[field]! }),
    );
    const fields = lowered.fields.i;
    const loadRows = access.loadRows(fields, 'row', 'k');
    const load = fields.map((field) => `i.${field.member} = ${access.value(field, 'row')};`);
    const each = (text: (result: DeviceResult, k: number, member: string) => string): string =>
      results.map((result, k) => text(result, k, lowered.fields.acc[k]!.member)).join('\n    ');
    const sums = new PartialSums(this.#gpu, functor.name, results);
    const frameText = access.usesFrame
      ? cellWgsl + cellVectorWgsl(false) + access.declarations
      : '';
    const kernel = this.#gpu.kernel({
      label: functor.name,
      about: aboutReduction(functor.name),
      workgroupSize: LANES,
      buffers: [
        ...access.buffers,
        ...(tables.hasTables
          ? [{ name: 'tables', type: 'array<u32>', access: 'read' as const }]
          : []),
        { name: 'partials', type: 'array<vec2u>', access: 'read_write' },
      ],
      params: { ...access.params, ...tables.params, count: 'u32', groups: 'u32', one: 'f32' },
      declarations: `${frameText}${treeMemoryWgsl(LANES, results.length)}${combineWgsl(results)}
// Reduce functor ${functor.name}.
${lowered.structs}
${lowered.functions}`,
      body: `
  ${each((result, k) => `var own_${k} = ${packedWgsl(result, identityOf(result))};`)}
  for (var k = index; k < P.count; k += P.groups * ${LANES}u) {
    ${loadRows}
    var i: ${lowered.name}_i;
    ${load.join('\n    ')}
    var acc: ${lowered.name}_acc;
    ${each((result, _k, member) => `acc.${member} = ${identityOf(result)};`)}
    ${lowered.name}(&acc, i);
    ${each((result, k, member) => `own_${k} = combine_${k}(own_${k}, ${packedWgsl(result, `acc.${member}`)});`)}
  }
  ${treeWgsl(results, LANES, 'partials', 'P.groups', 'group')}`,
    });
    const { blocks, usesFrame } = access;
    return { kernel, tables, blocks, usesFrame, results, sums };
  }
}
