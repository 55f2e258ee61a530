import type { ParameterValues } from '../../plan/calls.js';
import type { DeviceStrain } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelParams } from '../device/GpuKernel.js';
import type { ParamWriter } from '../device/paramWriter.js';
import { pairDoubleValues } from '../double/pairDoubles.js';
import { LANES } from '../kernels/KernelPart.js';
import type { PairVariant } from '../kernels/pairRequest.js';
import type { UsedBlocks } from '../kernels/usedBlocks.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { BoundParams } from '../pattern/BoundParams.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { BinTarget } from '../sort/Binning.js';
import { binFrameValues } from '../sort/binKernel.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { ExtendedPairs, PairProgram } from './PairPrograms.js';

/** A pair call as long as its program stays, and what it works on at one moment. */
export interface BoundPairs {
  readonly program: PairProgram;
  /** What that was found for. */
  readonly variant: PairVariant;
  readonly strain: DeviceStrain | undefined;
  /** Parameters of the functor, with the cutoff. */
  readonly given: ParameterValues;
  /** Its kernel when nothing follows it, and the buffers of its blocks. */
  readonly alone: PairKernel;
  blocks: readonly GPUBuffer[];
  tables: readonly GPUBuffer[];
  frame: PositionFrame;
  lists: DeviceLists;
  /** Whether it has been captured, and not recorded since. */
  isCaptured: boolean;
}

/** What the kernel is recorded with besides. */
export interface PairExtras {
  /** Buffers of the blocks that it uses. */
  readonly blocks: readonly GPUBuffer[];
  /** Where totals and reductions leave what they find. */
  readonly sums: { reserve(groups: number, perBlock: number): GPUBuffer } | null;
  /** Parameters of the cell calls and reductions that follow. */
  readonly given?: readonly ParameterValues[];
  /** Those of each sweep over all pairs; the same object while they stay. */
  readonly sweeps?: readonly KernelParams[];
  /** Where displacements are noted. */
  readonly displacements?: DisplacementTarget | null;
  /** Where particles are binned. */
  readonly bin?: BinTarget | null;
}

/** Parameters that change in every step, or in every sort: they are written by themselves. */
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
  readonly #writePlaces: ParamWriter | null;

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
    this.#writePlaces = extended && kernel.writerOf(Object.keys(PLACES));
  }

  /** Records it for each part of the lists. */
  record(pairs: BoundPairs, count: number, end: PairExtras): void {
    const { kernel, tables, lanes, endTables = [] } = this.#parts;
    const { displacements, bin, sweeps = [], given = [] } = end;
    const params = this.#params;
    const { chunks, stride, counts } = pairs.lists;
    const groups = Math.ceil(count / this.#perGroup);
    params.setObject(2, frameValues(pairs.frame));
    if (this.#gpu.reals.state === 'f64')
      params.setObject(1, pairDoubleValues(pairs.frame, this.#rcut, pairs.lists));
    params.setGiven(0, tables, pairs.given);
    for (let k = 0; k < endTables.length; k++) params.setGiven(k + 1, endTables[k]!, given[k]!);
    if (bin) params.setObject(0, binFrameValues(bin.frame));
    for (let k = 0; k < sweeps.length; k++) params.setObject(3 + k, sweeps[k]!);
    params.set('count', count);
    params.set('stride', stride);
    params.set('groups', groups);
    const partials = end.sums?.reserve(groups, lanes);
    for (const { first, end: after, entries } of chunks) {
      params.set('first', first);
      params.set('end', after);
      params.set('firstGroup', first / this.#perGroup);
      const { record } = params;
      if (displacements) kernel.writeNoted!(record.f32, record.u32, 0, displacements.values);
      if (bin) this.#writePlaces!(record.f32, record.u32, 0, bin.places);
      const bound = [...end.blocks, counts.buffer, entries.buffer, ...pairs.tables];
      if (partials) bound.push(partials);
      if (displacements) bound.push(...displacements.buffers);
      if (bin) bound.push(bin.buffer);
      if (bin?.images) bound.push(bin.images);
      const dispatched = Math.ceil((after - first) / this.#perGroup);
      this.#gpu.stream.dispatchWritten(kernel, bound, record, dispatched);
    }
  }
}
