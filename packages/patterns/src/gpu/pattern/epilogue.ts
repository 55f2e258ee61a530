import type { Functor } from '../../functor/Functor.js';
import type { WgslField } from '../../lower/wgsl/WgslEnv.js';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { motionText } from '../neighbours/motionText.js';
import { cellBody } from './cellBody.js';
import type { FunctorTables } from './FunctorTables.js';
import type { ParticleAccess } from './ParticleAccess.js';

/** What follows a pair call on each particle: cell functors, none of them with tables, and perhaps a note of its motion. */
export interface Epilogue {
  readonly functors: readonly Functor<'cell'>[];
  readonly motion: boolean;
}

/** Parts of a pair kernel that make it do what follows too. */
export interface EpilogueText {
  readonly tables: readonly FunctorTables[];
  readonly buffers: readonly KernelBuffer[];
  readonly params: Readonly<Record<string, ParamType>>;
  readonly declarations: string;
  /** Statements for the particle `own`, behind those that store its outputs from rows `out_<block>`. */
  readonly particle: string;
  /** Statements for the whole workgroup, in uniform control flow. */
  readonly workgroup: string;
}

const NOTHING: EpilogueText = {
  tables: [],
  buffers: [],
  params: {},
  declarations: '',
  particle: '',
  workgroup: '',
};

/**
 * Cell functors at the end of a pair kernel: they find the pair functor's outputs in registers, and a step needs one kernel
 * less. What they write to positions goes to another buffer, since other threads still look at the positions of before.
 *
 * @param stored fields whose rows the pair kernel has stored from `out_<block>`.
 */
export function epilogueText(
  epilogue: Epilogue | null,
  access: ParticleAccess,
  state: DeviceReal,
  stored: readonly WgslField[],
): EpilogueText {
  if (!epilogue) return NOTHING;
  const { functors, motion } = epilogue;
  access.moveApart();
  const { tables, params, declarations, fields, calls } = cellBody(functors, access, state, 'e');
  const held = access.blocksOf(stored);
  const load = [access.loadRows(fields, 'row', 'own', undefined, held)];
  if (motion && !fields.some((field) => access.isPosition(field)))
    load.push('let row_position = b_position[own];');
  return {
    tables,
    buffers: motion ? motionText.buffers : [],
    params: { ...params, ...(motion ? motionText.params : {}) },
    declarations: `${declarations}\n${motion ? motionText.declarations : ''}`,
    particle: `{
    ${load.join('\n    ')}
    ${calls}
    ${access.storeRows(fields, 'row', 'own')}
    ${motion ? motionText.note('row_position', 'own') : ''}
    }`,
    workgroup: motion ? motionText.store : '',
  };
}
