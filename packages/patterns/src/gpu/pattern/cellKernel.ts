import type { Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import { sumOutputs } from '../../functor/passes/sumOutputs.js';
import type { LoweredWgsl } from '../../lower/wgsl/WgslEnv.js';
import type { KernelSource } from '../device/GpuKernel.js';
import { type DeviceReal, realText } from '../double/DeviceReals.js';
import { motionText } from '../neighbours/motionText.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { ParticleAccess } from './ParticleAccess.js';

export const CELL_LANES = 128;

export interface CellKernelText {
  readonly source: KernelSource;
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
}

/**
 * One kernel for several cell functors in a row: a particle's rows are loaded once, the functors run one after the other
 * on them, and what was written is stored once. With `motion` the kernel also notes how far the particles have moved
 * since the lists were built; `listed` rows come from a list, one for each thread.
 */
export function cellKernel(
  functors: readonly Functor<'cell'>[],
  grid: Grid,
  motion: boolean,
  listed = false,
  state: DeviceReal = 'f32',
): CellKernelText {
  const access = new ParticleAccess(grid, state);
  const parts = functors.map((functor, k) => {
    const ir = functor.ir!;
    const alone = functors.length === 1;
    const tables = new FunctorTables(ir, alone ? '' : `f${k}_`, state);
    return { functor, tables, lowered: functorText(functor, ir, tables, alone ? '' : `_${k}`) };
  });
  const fields = parts.flatMap(({ lowered }) => lowered.fields.i);
  const at = listed ? 'at' : 'index';
  let loadRows = access.loadRows(fields, 'row', at);
  if (listed) loadRows = `let at = rows[index];\n    ${loadRows}`;
  if (motion && !fields.some((field) => access.isPosition(field))) {
    access.use('position');
    loadRows += '\n    var row_position = b_position[index];';
  }
  const calls = parts.map(({ functor, lowered }) => callText(functor, lowered, access));
  const hasTables = parts.some(({ tables }) => tables.hasTables);
  const source: KernelSource = {
    label: functors.map(({ name }) => name).join(' + ') + (motion ? ' + motion' : ''),
    workgroupSize: CELL_LANES,
    buffers: [
      ...access.buffers,
      ...(hasTables ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const] : []),
      ...(motion ? motionText.buffers : []),
      ...(listed ? [{ name: 'rows', type: 'array<u32>', access: 'read' } as const] : []),
    ],
    params: {
      ...access.params,
      ...(motion ? { ...frameParams, ...motionText.params } : {}),
      ...Object.assign({}, ...parts.map(({ tables }) => tables.params)),
      count: 'u32',
    },
    declarations: `${access.usesFrame || motion ? cellWgsl + cellVectorWgsl(false) : ''}${access.declarations}
${motion ? motionText.declarations : ''}
${parts.map(({ lowered }) => `${lowered.structs}\n${lowered.functions}`).join('\n')}`,
    body: `
  if (index < P.count) {
    ${loadRows}
    ${calls.join('\n    ')}
    ${access.storeRows(fields, 'row', at)}
    ${motion ? motionText.note('row_position') : ''}
  }
  ${motion ? motionText.store : ''}`,
  };
  const tables = parts.map((part) => part.tables);
  return { source, tables, blocks: access.blocks, usesFrame: access.usesFrame };
}

/** Statements that run one functor on the loaded rows. What it adds to positions goes to the relative vector. */
function callText(functor: Functor<'cell'>, lowered: LoweredWgsl, access: ParticleAccess): string {
  const kinds =
    functor.spec.wgsl === undefined ? sumOutputs(functor.ir!) : new Map<string, string>();
  const load: string[] = [];
  const store: string[] = [];
  for (const field of lowered.fields.i) {
    const member = `i.${field.member}`;
    const real = realText(field.type);
    if (!access.isPosition(field)) {
      load.push(`${member} = ${access.value(field, 'row')};`);
      if (field.written) store.push(access.put(field, 'row', member));
    } else if (field.written && kinds.get(field.field) === 'sum') {
      load.push(`${member} = ${real.zero};`);
      store.push(access.move(field, 'row', member));
    } else {
      load.push(`${member} = ${access.value(field, 'row')};`);
      if (field.written) {
        load.push(`let before_${field.member} = ${member};`);
        store.push(access.move(field, 'row', real.difference(member, `before_${field.member}`)));
      }
    }
  }
  return `{
      var i: ${lowered.name}_i;
      ${load.join('\n      ')}
      ${lowered.name}(&i);
      ${store.join('\n      ')}
    }`;
}
