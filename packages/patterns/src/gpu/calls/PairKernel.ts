import type { ParameterValues } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelParams } from '../device/GpuKernel.js';
import type { ParamWriter } from '../device/paramWriter.js';
import { pairDoubleValues } from '../double/pairDoubles.js';
import { LANES } from '../kernels/KernelPart.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import type { UsedBlocks } from '../pattern/BoundBlocks.js';
import { BoundParams } from '../pattern/BoundParams.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { BinTarget } from '../sort/Binning.js';
import { binFrameValues } from '../sort/binKernel.js';
import type { ExtendedPairs, PairProgram } from './PairPrograms.js';

/** What a pair call works on at one moment. */
export interface CapturedPairs {
  readonly lists: DeviceLists;
  readonly frame: PositionFrame;
  readonly tables: GPUBuffer | null;
  /** Parameters of the functor, with the cutoff. */
  readonly given: ParameterValues;
}

/** What the kernel is recorded with besides. */
export interface PairExtras {
  /** Buffers of the blocks that it uses. */
  readonly blocks: readonly GPUBuffer[];
  /** Where totals and reductions leave what they find. */
  readonly sums: { reserve(groups: number, perBlock: number): GPUBuffer } | null;
  /** Parameters of the cell calls and reductions. */
  readonly given: readonly ParameterValues[];
  /** Those of a sweep over all pairs; the same object while they stay. */
  readonly sweep: KernelParams | null;
  /** Where displacements are noted. */
  readonly displacements: DisplacementTarget | null;
  /** Where particles are binned. */
  readonly bin: BinTarget | null;
}

/** Where nothing follows the pair call. */
export const NO_EXTRAS = { given: [], sweep: null, displacements: null, bin: null } as const;

/** Parameters that change in every step: they are written by themselves. */
const NOTED = { slot: 0, list: 0, mostFast: 0, tau2: 0 };
const PLACES = { last: 0, earlier: 0, counts: 0, totals: 0, tileBits: 0 };

/** The kernel of a pair call, alone or going on with others, and its parameters from call to call. */
export class PairKernel {
  readonly blocks: UsedBlocks;
  readonly #gpu: GpuDevice;
  readonly #parts: PairProgram & Partial<ExtendedPairs>;
  /** Particles of a workgroup. */
  readonly #perGroup: number;
  readonly #params: BoundParams;
  readonly #rcut: number;
  readonly #writeNoted: ParamWriter | null;
  readonly #writePlaces: ParamWriter | null;
  #count = -1;
  #first = -1;
  #end = -1;
  #stride = -1;
  /** What the kernel binds, filled for each dispatch. */
  readonly #bindings: GPUBuffer[] = [];

  /** @param extended the kernel that goes on; null for the call alone. */
  constructor(gpu: GpuDevice, program: PairProgram, rcut: number, extended: ExtendedPairs | null) {
    this.#gpu = gpu;
    this.#parts = { ...program, ...extended };
    const { kernel, blocks, lanes } = this.#parts;
    this.blocks = blocks;
    this.#perGroup = LANES / lanes;
    this.#params = new BoundParams(kernel);
    this.#rcut = rcut;
    this.#params.setAll({ rcut2: rcut ** 2, ...NOTED, ...PLACES });
    this.#writeNoted = extended && kernel.writerOf(Object.keys(NOTED));
    this.#writePlaces = extended && kernel.writerOf(Object.keys(PLACES));
  }

  /** Records it for each part of the lists. */
  record(pairs: CapturedPairs, count: number, end: PairExtras): void {
    const { kernel, tables, endTables = [] } = this.#parts;
    const { displacements, bin, sweep, given } = end;
    const params = this.#params;
    const { chunks, stride } = pairs.lists;
    params.setFrame(pairs.frame);
    if (this.#gpu.reals.state === 'f64')
      params.setObject(2, pairDoubleValues(pairs.frame, this.#rcut, pairs.lists));
    params.setGiven(0, tables, pairs.given);
    for (let k = 0; k < endTables.length; k++) params.setGiven(k + 1, endTables[k]!, given[k]!);
    if (bin) params.setObject(0, binFrameValues(bin.frame));
    if (sweep) params.setObject(1, sweep);
    const partials = end.sums?.reserve(Math.ceil(count / this.#perGroup), this.#parts.lanes);
    for (const { first, end: after, entries } of chunks) {
      this.#setRows(count, first, after, stride);
      const { record } = params;
      if (displacements) this.#writeNoted!(record.f32, record.u32, 0, displacements.values);
      if (bin) this.#writePlaces!(record.f32, record.u32, 0, bin.places);
      this.#bind(pairs, entries.buffer, end, partials);
      const groups = Math.ceil((after - first) / this.#perGroup);
      this.#gpu.stream.dispatchWritten(kernel, this.#bindings, record, groups);
    }
  }

  /** Most steps have the rows of the step before. */
  #setRows(count: number, first: number, end: number, stride: number): void {
    const isSame = this.#count === count && this.#first === first && this.#end === end;
    if (isSame && this.#stride === stride) return;
    this.#count = count;
    this.#first = first;
    this.#end = end;
    this.#stride = stride;
    const groups = Math.ceil(count / this.#perGroup);
    const firstGroup = first / this.#perGroup;
    this.#params.setAll({ count, first, end, stride, groups, firstGroup });
  }

  #bind(
    { lists, tables }: CapturedPairs,
    entries: GPUBuffer,
    { blocks, displacements, bin }: PairExtras,
    partials: GPUBuffer | undefined,
  ): void {
    const bound = this.#bindings;
    let n = 0;
    for (let k = 0; k < blocks.length; k++) bound[n++] = blocks[k]!;
    bound[n++] = lists.counts.buffer;
    bound[n++] = entries;
    if (tables) bound[n++] = tables;
    if (partials) bound[n++] = partials;
    if (displacements) for (const buffer of displacements.buffers) bound[n++] = buffer;
    if (bin) bound[n++] = bin.buffer;
    if (bin?.images) bound[n++] = bin.images;
    while (bound.length > n) bound.pop();
  }
}
