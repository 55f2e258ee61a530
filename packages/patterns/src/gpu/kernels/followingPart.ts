import type { Functor } from '@corpuscle/functor';
import type { WgslField } from '@corpuscle/functor/wgsl';
import type { ListedSweeps } from '../allPairs/listedSweep.js';
import type { SweepParts } from '../allPairs/sweepPart.js';
import { displacementPart, RECORD_WORDS } from '../neighbors/displacementText.js';
import { binPart } from '../sort/binText.js';
import { cellPart } from './cellPart.js';
import { joinedParts, type KernelPart } from './KernelPart.js';
import type { ParticleAccess } from './ParticleAccess.js';

/**
 * What follows a pair call on each particle: cell functors and reductions, none of them with tables, or cell functors and then
 * sweeps over all pairs; without either perhaps a note of its displacement, and after that perhaps the first step of a sort.
 */
export interface FusedCells {
  readonly functors: readonly Functor<'cell'>[];
  readonly sums: readonly Functor<'reduce'>[];
  /** Only without reductions and notes. */
  readonly sweeps: readonly SweepParts[];
  readonly notes: boolean;
  /** Only where the functors move particles. */
  readonly bin: boolean;
  /** Whether that counts in image flags. */
  readonly images: boolean;
  /** Where some particles wait for more forces, only with notes; absent where none do. */
  readonly waiting?: WaitingRows;
}

/**
 * Particles that wait are left out, and the others leave what they write to these blocks in second buffers. After the record of the
 * displacements, the only one, is a word for each particle: 1 where it waits.
 */
export interface WaitingRows {
  readonly apart: ReadonlySet<string>;
}

const POSITIONS: ReadonlySet<string> = new Set(['position']);

/** Where in a pair kernel the others follow. */
export interface PairEnding {
  /** Fields whose rows the pair kernel has stored from `out_<block>`. */
  readonly stored: readonly WgslField[];
  /** The reductions among them. */
  readonly sums: KernelPart;
  /** Whether a thread has a particle of its own. */
  readonly isMine: string;
  /** The sweeps among them, if there are any. */
  readonly swept: ListedSweeps | null;
}

/**
 * What follows at the end of a pair kernel: cell functors find the pair functor's outputs in registers, and a step needs one kernel
 * less. What they write to positions goes to another buffer, since other threads still read the old positions.
 */
export function followingPart(
  { functors, notes, bin, images, waiting }: FusedCells,
  access: ParticleAccess,
  { stored, sums, isMine, swept }: PairEnding,
): KernelPart {
  access.moveApart(waiting?.apart ?? POSITIONS);
  const cells = cellPart(functors, access, 'e');
  const note = notes ? displacementPart('own', access.strain) : {};
  const binned = bin ? binPart(isMine, images) : {};
  const all = joinedParts([cells, swept ?? {}, note, binned]);
  const fields = [...cells.fields, ...sums.fields, ...(swept?.fields ?? [])];
  const load = [access.loadRows(fields, 'row', 'own', undefined, access.blocksOf(stored))];
  if (notes && !fields.some((field) => access.isPosition(field)))
    load.push('let row_position = b_position[own];');
  const store = access.storeRows(fields, 'row', 'own');
  // Displacements are noted in terms of the old cell.
  const end = bin ? [note.particle, binned.particle, store] : [store, note.particle];
  const particle = [...load, cells.particle, swept?.particle, ...end, sums.particle];
  return {
    ...all,
    tables: [...cells.tables, ...sums.tables],
    params: { ...cells.params, ...sums.params, ...all.params },
    particle: `// What follows the pair call.
    ${waiting ? `if (atomicLoad(&displacements[${RECORD_WORDS}u + own]) == 0u) ` : ''}{
    ${particle.filter(Boolean).join('\n    ')}
    }`,
  };
}
