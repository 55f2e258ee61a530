import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainOf } from '../box/DeviceStrain.js';
import { strainText } from '../box/strainText.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { displacementPart, loadReference } from '../neighbors/displacementText.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { wholeTree } from '../wgsl/treeWgsl.js';
import { cellPart } from './cellPart.js';
import type { FunctorTables } from './FunctorTables.js';
import { markedNames } from './functorText.js';
import { joinedParts, LANES } from './KernelPart.js';
import { ParticleAccess } from './ParticleAccess.js';
import { sumsPart } from './sumsPart.js';
import { NOTHING, type UsedBlocks } from './usedBlocks.js';

/** What a kernel does to each particle, in this order. */
export interface CellParts {
  readonly functors: readonly Functor<'cell'>[];
  /** Reductions at its end; none where displacements are noted. */
  readonly sums?: readonly Functor<'reduce'>[];
  /** Whether it notes how far the particles have moved since the lists were built. */
  readonly notes?: boolean;
  /** Whether its rows come from a list, one for each thread. */
  readonly listed?: boolean;
  /** Blocks whose second buffers get what is written. */
  readonly apart?: ReadonlySet<string>;
}

/** What a kernel of cell functors does, stage by stage. */
function aboutCells({ functors, sums = [], notes }: CellParts): string {
  const names = (all: readonly Functor[]) => all.map(({ name }) => name).join(', ');
  return [
    'One thread a particle.',
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
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: UsedBlocks;
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
  const { functors, sums = [], notes = false, listed = false, apart = NOTHING } = parts;
  const strain = strainOf(grid);
  const access = new ParticleAccess(grid, state, strain);
  access.moveApart(apart);
  const alone = functors.length + sums.length === 1;
  const body = cellPart(functors, access, alone ? '' : 'f');
  const ends = sumsPart(sums, access, alone ? '' : 's', {
    group: 'group',
    shape: wholeTree(LANES),
  });
  const at = listed ? 'at' : 'index';
  const note = notes ? displacementPart(at, strain) : {};
  const all = joinedParts([note, body, ends]);
  const loads = access.rowLoads([...body.fields, ...ends.fields], 'row', at);
  if (notes && !all.fields.some((field) => access.isPosition(field))) {
    access.use('position');
    loads.push(`var row_position = b_position[${at}];`);
  }
  const names = [...functors, ...sums].map(({ name }) => name);
  const source: KernelSource = {
    label: [...names, ...(notes ? ['displacement'] : [])].join(' + '),
    about: aboutCells(parts),
    functors: {
      ...markedNames('f', functors),
      ...markedNames('s', sums),
    },
    workgroupSize: LANES,
    buffers: [
      ...access.buffers,
      ...all.tables.flatMap(({ buffers }) => buffers),
      ...all.buffers,
      ...(listed ? [{ name: 'rows', type: 'array<u32>', access: 'read' } as const] : []),
    ],
    params: {
      ...access.params,
      ...(notes ? frameParams : {}),
      ...all.params,
      count: 'u32',
      ...(sums.length > 0 ? { groups: 'u32', one: 'f32' } : {}),
    },
    declarations: `${access.usesFrame || notes ? cellWgsl + cellVectorWgsl(false) : ''}${strainText(strain)}${access.declarations}
${all.declarations}`,
    body: `
  ${all.before}
  if (index < P.count) {
    ${listed ? 'let at = rows[index];' : ''}
    ${loads.join('\n    ')}
    ${body.particle}
    ${access.storeRows(body.fields, 'row', at)}
    ${ends.particle}
    ${note.particle ?? ''}
  }
  ${all.workgroup}`,
    ...(listed ? {} : { loads: [...loads, ...(notes ? [loadReference(at)] : [])] }),
    ...(all.late && { late: all.late }),
  };
  const { blocks, usesFrame } = access;
  return { source, tables: all.tables, blocks, usesFrame, results: all.results };
}
