import type { Functor } from '@corpuscle/functor';
import type { ResultRecord } from '@corpuscle/functor/ir';
import type { WgslEnv } from '@corpuscle/functor/wgsl';
import { completed, pending } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { RecordCall } from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import { strainText } from '../box/strainText.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { lowerWith } from '../kernels/functorText.js';
import { layoutKey, ParticleAccess } from '../kernels/ParticleAccess.js';
import { cellVectorWgsl, cellWgsl, frameValues } from '../wgsl/frameWgsl.js';
import { recordEnv, recordTreeWgsl } from '../wgsl/recordWgsl.js';
import { boundBlocks } from './BoundBlocks.js';
import { FunctorTables } from './FunctorTables.js';
import { KernelCache } from './KernelCache.js';
import { RecordSums } from './RecordSums.js';

const MOST_GROUPS = 1024;

interface RecordKernel {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
  readonly sums: RecordSums;
}

/**
 * Reductions whose results form a record (extremes with ids, histograms, results with a combine function), or that follow
 * a list of rows. Each lane takes every n-th particle into a record of its own; records are joined by trees of fixed order.
 */
export class RecordPattern {
  readonly #runner: CallRunner;
  readonly #kernels = new KernelCache<RecordKernel>();

  constructor(runner: CallRunner) {
    this.#runner = runner;
  }

  run(call: RecordCall): PatternHandle<ResultRecord> {
    const { grid, params, reduction, rows } = call;
    const { functor } = reduction;
    const count = rows?.length ?? grid.count;
    if (count === 0) return completed(reduction.identity());
    const listed = rows !== undefined;
    const key = `${listed}${layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}))}`;
    const built = this.#kernels.get(functor, key, () => this.#build(call, functor, listed));
    const { sums, tables } = built;
    const groups = Math.min(MOST_GROUPS, Math.ceil(count / (4 * sums.lanes)));
    const { gpu, residency, rows: lists } = this.#runner;
    const buffers = [...boundBlocks(grid, residency, built.blocks).buffers()];
    if (tables.hasTables) buffers.push(tables.buffer(gpu, functor.name, params));
    if (rows) buffers.push(lists.buffer(gpu, 'rows', rows));
    buffers.push(...sums.buffers(groups));
    const frame = built.usesFrame ? frameValues(residency.ensurePositions(grid).frame) : {};
    const values = { ...tables.values(params), ...frame, count, groups };
    gpu.stream.dispatch(built.kernel, buffers, values, groups);
    const found = sums.finish(groups);
    return pending(found.record, found.flush);
  }

  #build(
    { reduction, grid }: RecordCall,
    functor: Functor<'reduce'>,
    listed: boolean,
  ): RecordKernel {
    const ir = functor.ir!;
    const { gpu } = this.#runner;
    const { state } = gpu.reals;
    const tables = new FunctorTables(ir, '', state);
    const sums = new RecordSums(gpu, functor.name, reduction, state);
    const env: WgslEnv = {
      param: (field) => tables.param(field),
      item: (role, field, index) =>
        role === 'p' ? tables.item(field, index) : recordEnv.item(role, field, index),
      writeItem: (_role, field, index, _op, value) => recordEnv.writeItem(field, index, value),
    };
    const lowered = lowerWith(functor, ir, env, '', state);
    const strain = strainOf(grid);
    const access = new ParticleAccess(grid, state, strain);
    const fields = lowered.fields.i;
    const loadRows = access.loadRows(fields, 'row', 'at');
    const load = fields.map((field) => `i.${field.member} = ${access.value(field, 'row')};`);
    const frameText = access.usesFrame
      ? cellWgsl + cellVectorWgsl(false) + strainText(strain) + access.declarations
      : '';
    const read = 'read' as const;
    const kernel = gpu.kernel({
      label: functor.name,
      about: `Reduce functor '${functor.name}', whose results form a record: each thread fills one, a tree joins them.`,
      workgroupSize: sums.lanes,
      buffers: [
        ...access.buffers,
        ...tables.buffers,
        ...(listed ? [{ name: 'rows', type: 'array<u32>', access: read }] : []),
        ...RecordSums.bindings,
      ],
      params: { ...access.params, ...tables.params, count: 'u32', groups: 'u32', one: 'f32' },
      declarations: `${frameText}${sums.declare(sums.lanes)}${lowered.structs}
${lowered.functions}`,
      body: `
  startRecord();
  var acc: ${lowered.name}_acc;
  for (var k = index; k < P.count; k += P.groups * ${sums.lanes}u) {
    let at = ${listed ? 'rows[k]' : 'k'};
    ${loadRows}
    var i: ${lowered.name}_i;
    ${load.join('\n    ')}
    ${lowered.name}(&acc, i);
  }
  ${recordTreeWgsl(sums.lanes, 'group')}`,
    });
    const { blocks, usesFrame } = access;
    return { kernel, tables, blocks, usesFrame, sums };
  }
}
