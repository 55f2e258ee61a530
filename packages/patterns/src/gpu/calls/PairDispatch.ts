import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { displacementText } from '../neighbors/displacementText.js';
import { type BoundBlocks, NEXT, type UsedBlocks } from '../pattern/BoundBlocks.js';
import type { CellKernelText } from '../pattern/cellKernel.js';
import type { FoldedSums } from '../pattern/FoldedSums.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import type { FusedCells } from '../pattern/fusedCells.js';
import { PAIR_LANES } from '../pattern/pairText.js';
import type { BinTarget } from '../sort/Binning.js';
import type { FollowedPairs } from '../step/FollowedPairs.js';

type Values = Record<string, number | readonly number[]>;

const NO_BUFFERS: readonly GPUBuffer[] = [];

/** What a pair call is recorded from. */
export interface PairParts {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  /** Blocks that it reads of neighbors, besides positions. */
  readonly neighborBlocks: ReadonlySet<string>;
  /** Threads a particle. */
  readonly lanes: number;
  /** Buffers of tables and partial sums. */
  readonly otherBuffers: number;
  /** The kernel that goes on with cell functors, null if it shall bin too and that is too much; null where it cannot go on. */
  readonly extend: ((fusedCells: FusedCells, grid: Grid) => ExtendedPairs | null) | null;
}

/** A pair kernel that goes on with cell functors. */
export interface ExtendedPairs {
  readonly kernel: GpuKernel;
  /** One for each cell functor, and each reduction after those. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: UsedBlocks;
}

/**
 * A pair call on the blocks of one moment: recorded by itself, or together with the cell calls that follow it. One serves
 * all runs of a call, which are recorded one after the other.
 */
export class PairDispatch {
  readonly grid: Grid;
  readonly parts: PairParts;
  readonly #operator: string;
  readonly #gpu: GpuDevice;
  /** Parameters of the kernel, and how often they have changed. */
  readonly #values: Values = {};
  #version = 0;
  /** Particles of a workgroup. */
  readonly #perGroup: number;
  #blocks: readonly GPUBuffer[] = [];
  #lists: DeviceLists | null = null;
  /** Of tables and partial sums. */
  #rest: readonly GPUBuffer[] = [];
  /** What the kernel binds, filled for each dispatch. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(gpu: GpuDevice, grid: Grid, parts: PairParts, operator: string) {
    this.#operator = operator;
    this.#gpu = gpu;
    this.grid = grid;
    this.parts = parts;
    this.#perGroup = PAIR_LANES / parts.lanes;
  }

  /** Sets parameters of the kernel. */
  put(values: Readonly<Values>): void {
    Object.assign(this.#values, values);
    this.#version++;
  }

  /** @param bound its blocks, with the buffers that they have now. @param rest buffers that come after the lists. */
  set(lists: DeviceLists, bound: BoundBlocks, rest: readonly GPUBuffer[]): void {
    this.#lists = lists;
    this.#blocks = bound.buffers();
    this.#rest = rest;
  }

  /** Bindings besides those of blocks: of the lists, and of tables and partial sums. */
  get otherBindings(): number {
    return 2 + this.parts.otherBuffers;
  }

  /** Records it alone. */
  record(): void {
    const present = this.#gpu.operator;
    this.#gpu.operator = this.#operator;
    this.#recordAlone();
    this.#gpu.operator = present;
  }

  /**
   * Records it with what follows.
   * @param blocks buffers of the blocks that both use. @param displacements where displacements are noted.
   * @param bin where particles are binned. @param sums where reductions leave what they find.
   */
  recordWith(
    followed: FollowedPairs,
    blocks: readonly GPUBuffer[],
    displacements: DisplacementTarget | null,
    bin: BinTarget | null,
    sums: FoldedSums | null,
  ): void {
    followed.putPairs(this.#values, this.#version);
    const { chunks, counts, stride } = this.#lists!;
    const noted = displacements ? displacements.values : null;
    const places = bin ? bin.places : null;
    const partials = sums?.reserve(this.grid.count, this.#perGroup) ?? null;
    for (const { first, end, entries } of chunks) {
      this.#bind(
        blocks,
        counts.buffer,
        entries.buffer,
        displacements ? displacements.buffers : NO_BUFFERS,
      );
      if (partials) this.#bindings.push(partials);
      if (bin) this.#bindings.push(bin.buffer);
      if (bin?.images) this.#bindings.push(bin.images);
      const params = followed.params(first, end, stride, noted, places);
      const groups = this.#groupsOf(end - first);
      this.#gpu.stream.dispatchWritten(followed.kernel, this.#bindings, params, groups);
    }
  }

  /** One kernel for each part of the lists. */
  #recordAlone(): void {
    const values = this.#values;
    const { chunks, counts, stride } = this.#lists!;
    values.stride = stride;
    values.groups = this.#groupsOf(this.grid.count);
    for (const { first, end, entries } of chunks) {
      values.first = first;
      values.end = end;
      values.firstGroup = first / this.#perGroup;
      this.#bind(this.#blocks, counts.buffer, entries.buffer, NO_BUFFERS);
      const groups = this.#groupsOf(end - first);
      this.#gpu.stream.dispatch(this.parts.kernel, this.#bindings, values, groups);
    }
  }

  #groupsOf(rows: number): number {
    return Math.ceil(rows / this.#perGroup);
  }

  #bind(
    blocks: readonly GPUBuffer[],
    counts: GPUBuffer,
    entries: GPUBuffer,
    displacements: readonly GPUBuffer[],
  ): void {
    const bound = this.#bindings;
    const rest = this.#rest;
    let n = 0;
    for (let k = 0; k < blocks.length; k++) bound[n++] = blocks[k]!;
    bound[n++] = counts;
    bound[n++] = entries;
    for (let k = 0; k < rest.length; k++) bound[n++] = rest[k]!;
    for (let k = 0; k < displacements.length; k++) bound[n++] = displacements[k]!;
    while (bound.length > n) bound.pop();
  }
}

/** Parameters that cell functors may add to a pair kernel: so its record never gets too long. */
const MOST_PARAMETERS = 40;

/**
 * Whether a pair kernel may go on with cell functors and reductions: none must write what other threads still read of neighbors.
 * @param cells kernels of each functor alone. @param bindings what the device has for blocks. @param isStrained whether it looks at the strain of the box.
 */
export function mayExtend(
  { extend, blocks, neighborBlocks }: PairParts,
  cells: readonly CellKernelText[],
  bindings: number,
  isStrained: boolean,
): boolean {
  if (!extend) return false;
  const names = new Set([...blocks.map(({ name }) => name), NEXT]);
  let parameters = 0;
  for (const { tables, blocks: used } of cells) {
    for (const { name, written } of used) {
      if (written && neighborBlocks.has(name)) return false;
      names.add(name);
    }
    for (const { params } of tables) parameters += Object.keys(params).length;
  }
  const usesValues = cells.some(({ tables }) => tables.some(({ usesValues }) => usesValues));
  const values = usesValues || isStrained ? 1 : 0;
  return (
    parameters <= MOST_PARAMETERS &&
    names.size + displacementText.buffers.length + values <= bindings
  );
}
