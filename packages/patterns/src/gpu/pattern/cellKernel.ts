import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainOf } from '../box/DeviceStrain.js';
import { strainText } from '../box/strainText.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { displacementText } from '../neighbors/displacementText.js';
import { type PassedValues, valuePrologue } from '../values/valuePrologue.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { type DeviceResult, partialsEnd } from '../wgsl/reduceWgsl.js';
import { cellBody, markedNames } from './cellBody.js';
import type { FunctorTables } from './FunctorTables.js';
import { ParticleAccess } from './ParticleAccess.js';
import { reduceBody } from './reduceBody.js';

export const CELL_LANES = 128;

/** What a kernel does to each particle, in this order. */
export interface CellParts {
  readonly functors: readonly Functor<'cell'>[];
  /** Reductions at its end; none where displacements are noted. */
  readonly sums?: readonly Functor<'reduce'>[];
  /** Whether it notes how far the particles have moved since the lists were built. */
  readonly notes?: boolean;
  /** Whether its rows come from a list, one for each thread. */
  readonly listed?: boolean;
  /** A pass over values before all this; only without reductions. */
  readonly values?: PassedValues | null;
}

/** What a kernel of cell functors does, stage by stage. */
function aboutCells({ functors, sums = [], notes, values }: CellParts): string {
  const names = (all: readonly Functor[]) => all.map(({ name }) => name).join(', ');
  return [
    'One thread a particle.',
    ...(values
      ? ['  values    each workgroup finds the values of the context that the others need']
      : []),
    '  load      rows of the particle',
    ...(functors.length > 0 ? [`  call      cell functors in order: ${names(functors)}`] : []),
    ...(functors.length > 0 || sums.length === 0 ? ['  store     rows that were written'] : []),
    ...(sums.length > 0
      ? [
          `  reduce    reduce functors: ${names(sums)}`,
          '  tree      the workgroup combines its threads in a fixed order and stores a partial result',
        ]
      : []),
    ...(notes ? ['  note      the largest displacement since the lists were built'] : []),
  ].join('\n');
}

export interface CellKernelText {
  readonly source: KernelSource;
  /** One for each functor, those of reductions last. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
  /** Results of the reductions. */
  readonly results: readonly DeviceResult[];
}

/**
 * One kernel for several cell functors in a row, and reductions after them: a particle's rows are loaded once, the functors
 * run one after the other on them, and what was written is stored once.
 */
export function cellKernel(
  parts: CellParts,
  grid: Grid,
  state: DeviceReal = 'f32',
): CellKernelText {
  const { functors, sums = [], notes = false, listed = false, values = null } = parts;
  const strain = strainOf(grid);
  const access = new ParticleAccess(grid, state, strain);
  const alone = functors.length + sums.length === 1;
  const first = values && valuePrologue(values, CELL_LANES);
  const passed = first && { given: values.given, slots: first.slots };
  const body = cellBody(functors, access, state, alone ? '' : 'f', passed);
  const ends = reduceBody(sums, access, state, CELL_LANES, alone ? '' : 's');
  const fields = [...body.fields, ...ends.fields];
  const tables = [...body.tables, ...ends.tables, ...(first?.tables ?? [])];
  const hasTables = tables.some((one) => one.hasTables);
  const at = listed ? 'at' : 'index';
  let loadRows = access.loadRows(fields, 'row', at);
  if (listed) loadRows = `let at = rows[index];\n    ${loadRows}`;
  if (notes && !fields.some((field) => access.isPosition(field))) {
    access.use('position');
    loadRows += '\n    var row_position = b_position[index];';
  }
  const names = [...(first?.names ?? []), ...[...functors, ...sums].map(({ name }) => name)];
  const source: KernelSource = {
    label: [...names, ...(notes ? ['displacement'] : [])].join(' + '),
    about: aboutCells(parts),
    functors: {
      ...markedNames('f', functors),
      ...markedNames('s', sums),
      ...markedNames('v', values?.functors.map(({ functor }) => functor) ?? []),
    },
    workgroupSize: CELL_LANES,
    buffers: [
      ...access.buffers,
      ...(hasTables ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const] : []),
      ...ends.buffers,
      ...(first?.buffers ?? []),
      ...(notes ? displacementText.buffers : []),
      ...(listed ? [{ name: 'rows', type: 'array<u32>', access: 'read' } as const] : []),
    ],
    params: {
      ...access.params,
      ...(notes ? { ...frameParams, ...displacementText.params } : {}),
      ...body.params,
      ...ends.params,
      ...first?.params,
      count: 'u32',
      ...(sums.length > 0 ? { groups: 'u32', one: 'f32' } : {}),
    },
    declarations: `${access.usesFrame || notes ? cellWgsl + cellVectorWgsl(false) : ''}${strainText(strain)}${access.declarations}
${notes ? displacementText.declarations : ''}
${first?.declarations ?? ''}${body.declarations}${ends.declarations}`,
    body: `
  ${first?.before ?? ''}${ends.before}
  if (index < P.count) {
    ${loadRows}
    ${body.calls}
    ${access.storeRows(fields, 'row', at)}
    ${ends.particle}
    ${notes ? displacementText.note('row_position') : ''}
  }
  ${notes ? displacementText.store(strain) : ''}
  ${ends.workgroup(partialsEnd('partials', 'P.groups', 'group'))}`,
  };
  const { blocks, usesFrame } = access;
  return { source, tables, blocks, usesFrame, results: ends.results };
}
