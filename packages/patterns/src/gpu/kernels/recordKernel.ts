import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { WgslEnv } from '@corpuscle/functor/wgsl';
import { strainOf } from '../box/DeviceStrain.js';
import { strainText } from '../box/strainText.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import { recordEnv, recordTreeWgsl } from '../wgsl/recordWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { lowerWith } from './functorText.js';
import { ParticleAccess } from './ParticleAccess.js';
import { type RecordText, recordBindings, recordDeclarations } from './recordText.js';
import type { UsedBlocks } from './usedBlocks.js';

/** The text of a kernel that fills records, and what it uses. */
export interface RecordKernelText {
  readonly source: KernelSource;
  readonly tables: FunctorTables;
  readonly blocks: UsedBlocks;
  readonly usesFrame: boolean;
}

/**
 * Each thread takes every n-th particle into a record of its own; those of a workgroup are joined by a tree.
 *
 * @param functor with the record as its results. @param listed whether particles are those of a list of rows.
 */
export function recordKernel(
  functor: Functor<'reduce'>,
  grid: Grid,
  text: RecordText,
  state: DeviceReal,
  listed: boolean,
): RecordKernelText {
  const ir = functor.ir!;
  const { lanes } = text;
  const tables = new FunctorTables(ir, '', state);
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
  const rows = { name: 'rows', type: 'array<u32>', access: 'read' } as const;
  const source: KernelSource = {
    label: functor.name,
    about: `Reduce functor '${functor.name}', whose results form a record: each thread fills one, a tree joins them.`,
    workgroupSize: lanes,
    buffers: [...access.buffers, ...tables.buffers, ...(listed ? [rows] : []), ...recordBindings],
    params: { ...access.params, ...tables.params, count: 'u32', groups: 'u32', one: 'f32' },
    declarations: `${frameText}${recordDeclarations(text, lanes)}${lowered.structs}
${lowered.functions}`,
    body: `
  startRecord();
  var acc: ${lowered.name}_acc;
  for (var k = index; k < P.count; k += P.groups * ${lanes}u) {
    let at = ${listed ? 'rows[k]' : 'k'};
    ${loadRows}
    var i: ${lowered.name}_i;
    ${load.join('\n    ')}
    ${lowered.name}(&acc, i);
  }
  ${recordTreeWgsl(lanes, 'group')}`,
  };
  const { blocks, usesFrame } = access;
  return { source, tables, blocks, usesFrame };
}
