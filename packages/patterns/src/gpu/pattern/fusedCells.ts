import type { Functor } from '@corpuscle/functor';
import type { WgslField } from '@corpuscle/functor/wgsl';
import { type SweepParts, sweepBody } from '../allPairs/sweepBody.js';
import type { DeviceStrain } from '../box/DeviceStrain.js';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { displacementText } from '../neighbors/displacementText.js';
import { binImages, binText } from '../sort/binText.js';
import { partialsEnd } from '../wgsl/reduceWgsl.js';
import { cellBody } from './cellBody.js';
import type { FunctorTables } from './FunctorTables.js';
import type { ParticleAccess } from './ParticleAccess.js';
import type { ReduceBody } from './reduceBody.js';

/**
 * What follows a pair call on each particle: cell functors and reductions, none of them with tables, or cell functors and then a
 * sweep over all pairs; without either perhaps a note of its displacement, and after that perhaps the first step of a sort.
 */
export interface FusedCells {
  readonly functors: readonly Functor<'cell'>[];
  readonly sums: readonly Functor<'reduce'>[];
  /** Only without reductions and notes. */
  readonly sweep: SweepParts | null;
  readonly notes: boolean;
  /** Only where the functors move particles. */
  readonly bin: boolean;
  /** Whether that counts in image flags. */
  readonly images: boolean;
}

/** Parts of a pair kernel that make it do what follows too. */
export interface FusedCellsText {
  readonly tables: readonly FunctorTables[];
  readonly buffers: readonly KernelBuffer[];
  readonly params: Readonly<Record<string, ParamType>>;
  readonly declarations: string;
  /** Statements for all threads, in front of the others. */
  readonly before: string;
  /** Statements for the particle `own`, after those that store its outputs from rows `out_<block>`. */
  readonly particle: string;
  /** Statements for the whole workgroup, in uniform control flow. */
  readonly workgroup: string;
}

const NOTHING: FusedCellsText = {
  tables: [],
  buffers: [],
  params: {},
  declarations: '',
  before: '',
  particle: '',
  workgroup: '',
};

const NO_SWEEP = {
  params: {},
  buffers: [],
  declarations: '',
  fields: [],
  before: '',
  particle: [],
  workgroup: () => '',
};

/**
 * Cell functors at the end of a pair kernel: they find the pair functor's outputs in registers, and a step needs one kernel
 * less. What they write to positions goes to another buffer, since other threads still read the old positions.
 *
 * @param stored fields whose rows the pair kernel has stored from `out_<block>`.
 * @param sums what the reductions are in this kernel. @param counts whether a thread has a particle of its own.
 * @param each threads of a particle.
 * @param strain of the box
 */
export function fusedCellsText(
  fusedCells: FusedCells | null,
  access: ParticleAccess,
  state: DeviceReal,
  stored: readonly WgslField[],
  sums: ReduceBody,
  counts: string,
  each: number,
  strain?: DeviceStrain,
): FusedCellsText {
  if (!fusedCells) return NOTHING;
  const { functors, notes, bin, images } = fusedCells;
  access.moveApart();
  const cells = cellBody(functors, access, state, 'e');
  const sweep = fusedCells.sweep ? sweepBody(fusedCells.sweep, access, each) : NO_SWEEP;
  const fields = [...cells.fields, ...sums.fields, ...sweep.fields];
  const held = access.blocksOf(stored);
  const load = [access.loadRows(fields, 'row', 'own', undefined, held)];
  if (notes && !fields.some((field) => access.isPosition(field)))
    load.push('let row_position = b_position[own];');
  const store = access.storeRows(fields, 'row', 'own');
  const note = notes ? displacementText.note('row_position', 'own') : '';
  const ends = [...(notes ? [displacementText] : []), ...(bin ? [binText] : [])];
  const flags: readonly KernelBuffer[] = bin && images ? binImages.buffers : [];
  const wrap = images ? { wrap: binImages.wrap('own') } : {};
  const partials = partialsEnd('partials', 'P.groups', '(P.firstGroup + group)');
  // Displacements are noted in terms of the old cell.
  const end = bin ? [note, binText.particle('row_position', 'own', wrap), store] : [store, note];
  return {
    tables: [...cells.tables, ...sums.tables],
    buffers: [
      ...sweep.buffers,
      ...ends.flatMap(({ buffers }): readonly KernelBuffer[] => buffers),
      ...flags,
    ],
    params: Object.assign(
      { ...cells.params, ...sums.params, ...sweep.params },
      ...ends.map((text) => text.params),
    ),
    declarations: [
      cells.declarations,
      sweep.declarations,
      ...ends.map((text) => text.declarations),
    ].join('\n'),
    before: `${sweep.before}${bin ? binText.before : ''}`,
    particle: `// What follows the pair call.
    {
    ${[...load, cells.calls, ...sweep.particle, ...end, sums.particle].join('\n    ')}
    }`,
    workgroup: `${notes ? displacementText.store(strain) : ''}
  ${bin ? binText.workgroup(counts) : ''}
  ${sweep.workgroup(partials)}`,
  };
}
