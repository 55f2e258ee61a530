import type { Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import { sumOutputs } from '../../functor/passes/sumOutputs.js';
import type { CellCall } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { Residency } from '../residency/Residency.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { KernelCache } from './KernelCache.js';
import { absoluteWgsl, layoutKey, ParticleAccess, particleBuffers } from './ParticleAccess.js';

const LANES = 128;

interface CellKernel {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
}

/** A cell functor on the device: one thread a particle. */
export class CellPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #kernels = new KernelCache<CellKernel>();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  run({ functor, grid, params }: CellCall): void {
    if (grid.count === 0) return;
    const fields = Object.keys(functor.ir!.roles.i ?? {});
    const key = layoutKey(grid, fields);
    const built = this.#kernels.get(functor, key, () => this.#build(functor, grid));
    const { buffers, written } = particleBuffers(grid, this.#residency, built.blocks);
    if (built.tables.hasTables) buffers.push(built.tables.buffer(this.#gpu, functor.name, params));
    const frame = built.usesFrame
      ? ParticleAccess.frameValues(this.#residency.ensurePositions(grid).frame)
      : {};
    this.#gpu.stream.dispatchThreads(
      built.kernel,
      buffers,
      { ...built.tables.values(params), ...frame, count: grid.count },
      grid.count,
    );
    written();
  }

  #build(functor: Functor<'cell'>, grid: Grid): CellKernel {
    const ir = functor.ir!;
    const tables = new FunctorTables(ir);
    const lowered = functorText(functor, ir, tables);
    const access = new ParticleAccess(grid);
    const kinds = functor.spec.wgsl === undefined ? sumOutputs(ir) : new Map<string, string>();
    const fields = lowered.fields.i;
    const loadRows = access.loadRows(fields, 'row', 'index');
    const load: string[] = [];
    const store: string[] = [];
    for (const field of fields) {
      const member = `i.${field.member}`;
      if (!access.isPosition(field)) {
        load.push(`${member} = ${access.value(field, 'row')};`);
        if (field.written) store.push(access.put(field, 'row', member));
      } else if (field.written && kinds.get(field.field) === 'sum') {
        load.push(`${member} = 0.0;`);
        store.push(access.move(field, 'row', member));
      } else {
        load.push(`${member} = ${access.value(field, 'row')};`);
        if (field.written) {
          load.push(`let before_${field.member} = ${member};`);
          store.push(access.move(field, 'row', `${member} - before_${field.member}`));
        }
      }
    }
    const frameText = access.usesFrame ? cellWgsl + cellVectorWgsl(false) + absoluteWgsl : '';
    const kernel = this.#gpu.kernel({
      label: functor.name,
      workgroupSize: LANES,
      buffers: tables.hasTables
        ? [...access.buffers, { name: 'tables', type: 'array<u32>', access: 'read' }]
        : access.buffers,
      params: { ...access.params, ...tables.params, count: 'u32' },
      declarations: `${frameText}${lowered.structs}\n${lowered.functions}`,
      body: `
    if (index >= P.count) { return; }
    ${loadRows}
    var i: ${lowered.name}_i;
    ${load.join('\n    ')}
    ${lowered.name}(&i);
    ${store.join('\n    ')}
    ${access.storeRows(fields, 'row', 'index')}`,
    });
    return { kernel, tables, blocks: access.blocks, usesFrame: access.usesFrame };
  }
}
