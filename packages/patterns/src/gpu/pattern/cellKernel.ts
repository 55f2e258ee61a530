import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { displacementText } from '../neighbors/displacementText.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { cellBody, markedNames } from './cellBody.js';
import type { FunctorTables } from './FunctorTables.js';
import { ParticleAccess } from './ParticleAccess.js';

export const CELL_LANES = 128;

/** What a kernel of cell functors does, stage by stage. */
function aboutCells(functors: readonly Functor<'cell'>[], notes: boolean): string {
  const names = functors.map(({ name }) => name).join(', ');
  return [
    'One thread a particle.',
    '  load      rows of the particle',
    ...(names ? [`  call      cell functors in order: ${names}`] : []),
    '  store     rows that were written',
    ...(notes ? ['  note      the largest displacement since the lists were built'] : []),
  ].join('\n');
}

export interface CellKernelText {
  readonly source: KernelSource;
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
}

/**
 * One kernel for several cell functors in a row: a particle's rows are loaded once, the functors run one after the other
 * on them, and what was written is stored once. With `notes` the kernel also notes how far the particles have moved
 * since the lists were built; `listed` rows come from a list, one for each thread.
 */
export function cellKernel(
  functors: readonly Functor<'cell'>[],
  grid: Grid,
  notes: boolean,
  listed = false,
  state: DeviceReal = 'f32',
): CellKernelText {
  const access = new ParticleAccess(grid, state);
  const { tables, hasTables, ...body } = cellBody(
    functors,
    access,
    state,
    functors.length === 1 ? '' : 'f',
  );
  const { fields } = body;
  const at = listed ? 'at' : 'index';
  let loadRows = access.loadRows(fields, 'row', at);
  if (listed) loadRows = `let at = rows[index];\n    ${loadRows}`;
  if (notes && !fields.some((field) => access.isPosition(field))) {
    access.use('position');
    loadRows += '\n    var row_position = b_position[index];';
  }
  const source: KernelSource = {
    label: [...functors.map(({ name }) => name), ...(notes ? ['displacement'] : [])].join(' + '),
    about: aboutCells(functors, notes),
    functors: markedNames('f', functors),
    workgroupSize: CELL_LANES,
    buffers: [
      ...access.buffers,
      ...(hasTables ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const] : []),
      ...(notes ? displacementText.buffers : []),
      ...(listed ? [{ name: 'rows', type: 'array<u32>', access: 'read' } as const] : []),
    ],
    params: {
      ...access.params,
      ...(notes ? { ...frameParams, ...displacementText.params } : {}),
      ...body.params,
      count: 'u32',
    },
    declarations: `${access.usesFrame || notes ? cellWgsl + cellVectorWgsl(false) : ''}${access.declarations}
${notes ? displacementText.declarations : ''}
${body.declarations}`,
    body: `
  if (index < P.count) {
    ${loadRows}
    ${body.calls}
    ${access.storeRows(fields, 'row', at)}
    ${notes ? displacementText.note('row_position') : ''}
  }
  ${notes ? displacementText.store : ''}`,
  };
  return { source, tables, blocks: access.blocks, usesFrame: access.usesFrame };
}
