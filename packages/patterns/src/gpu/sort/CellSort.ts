import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { Packing } from '../neighbours/candidates.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { binKernel, binParams } from './binKernel.js';
import { ExclusiveScan } from './ExclusiveScan.js';
import { membersKernel, permuteKernel } from './permuteKernel.js';

/** Parameters that are written to. */
type OwnParams = Record<string, number | readonly number[]>;

/** A kernel of a permutation and the blocks that it moves. */
interface Pass {
  readonly kernel: GpuKernel;
  readonly records: readonly DeviceBlock[];
  /** Whether it makes candidates of a search. */
  readonly packs: boolean;
}

/** What every sort of a grid does, until it gets another block. */
interface Plan {
  readonly blocks: number;
  readonly packs: boolean;
  readonly others: readonly FieldBlock[];
  readonly passes: readonly Pass[];
}

/** What a sort leaves for the search behind it. */
export interface Sorted {
  readonly position: DeviceBlock;
  /** The same positions packed, good until the next sort; null where nobody asked for them. */
  readonly candidates: GPUBuffer | null;
}

/**
 * Sorts all blocks of a grid by cell, on the device and by counting:
 *
 *   bin      cell of each particle in the new frame, positions made relative to it; count per cell, order of arrival
 *   scan     counts → first row of each cell
 *   members  particles of a cell as they arrived
 *   permute  every block, from its buffer to its spare, as many in one kernel as it may have buffers; within a cell by old
 *            rows, so that the order is stable whatever the atomics did; positions are packed for a search on the way
 */
export class CellSort {
  readonly #gpu: GpuDevice;
  readonly #scan: ExclusiveScan;
  readonly #bin: GpuKernel;
  readonly #members: GpuKernel;
  #bound: { from: PositionFrame; to: PositionFrame; params: OwnParams } | null = null;
  readonly #plans = new WeakMap<Grid, Plan>();
  readonly #counts: GrowingBuffer;
  readonly #cellOf: GrowingBuffer;
  readonly #arrival: GrowingBuffer;
  readonly #unordered: GrowingBuffer;
  readonly #candidates: GrowingBuffer;
  readonly #values = { count: 0, rows: 0, perCell: 0, perLength: 0 };

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#scan = new ExclusiveScan(gpu);
    this.#bin = gpu.kernel(binKernel(gpu.reals.state === 'f64'));
    this.#members = gpu.kernel(membersKernel);
    this.#counts = new GrowingBuffer(gpu, 'particles of each cell');
    this.#cellOf = new GrowingBuffer(gpu, 'cell of each particle');
    this.#arrival = new GrowingBuffer(gpu, 'order of arrival in cells');
    this.#unordered = new GrowingBuffer(gpu, 'members of cells');
    this.#candidates = new GrowingBuffer(gpu, 'candidates of a search');
  }

  /**
   * Sorts; `start` receives the first row of each cell, one more number than there are cells.
   * @param packing how candidates are made, if they are wanted.
   */
  run(
    grid: Grid,
    residency: Residency,
    frame: PositionFrame,
    start: GrowingBuffer,
    packing: Packing | null,
  ): Sorted {
    const { stream } = this.#gpu;
    const { count } = grid;
    const position = residency.ensurePositions(grid, frame);
    const plan = this.#planOf(grid, residency, position, packing !== null);
    for (const block of plan.others) residency.ensure(block, count);
    const cells = frame.dims[0] * frame.dims[1] * frame.dims[2];
    const cellOf = this.#cellOf.reserve(4 * count);
    const arrival = this.#arrival.reserve(4 * count);
    const unordered = this.#unordered.reserve(8 * count);
    const starts = start.reserve(4 * (cells + 1));
    // All zero: new buffers are, and the scan leaves it so.
    const counts = this.#counts.reserve(4 * (cells + 1));
    const bin = this.#binParams(position.frame, frame);
    bin.count = count;
    const binned = [position.buffer, cellOf, counts, arrival];
    if (position.low) binned.push(position.low.buffer);
    stream.dispatchThreads(this.#bin, binned, bin, count);
    position.frame = frame;
    this.#scan.run(counts, starts, cells + 1);
    const members = [cellOf, starts, arrival, unordered];
    stream.dispatchThreads(this.#members, members, { count }, count);
    const rows = count + FieldBlock.PADDING;
    const candidates = packing && this.#candidates.reserve(8 * rows);
    Object.assign(this.#values, packing, { count, rows });
    for (const pass of plan.passes) this.#permute(pass, unordered, candidates);
    for (const block of grid.blocks.values()) residency.written(block);
    grid.sortVersion++;
    return { position, candidates };
  }

  /** Frames stay for long, and so do the parameters of two. */
  #binParams(from: PositionFrame, to: PositionFrame): OwnParams {
    if (this.#bound?.from !== from || this.#bound.to !== to)
      this.#bound = { from, to, params: binParams(from, to) };
    return this.#bound.params;
  }

  #permute({ kernel, records, packs }: Pass, members: GPUBuffer, candidates: GPUBuffer | null) {
    const values = this.#values;
    const buffers = packs ? [members, candidates!] : [members];
    for (const record of records) buffers.push(record.buffer, record.spare);
    this.#gpu.stream.dispatchThreads(kernel, buffers, values, values.rows);
    for (const record of records) record.swap();
  }

  /** As many blocks in one kernel as the device has bindings for. */
  #planOf(grid: Grid, residency: Residency, position: DeviceBlock, packs: boolean): Plan {
    const known = this.#plans.get(grid);
    if (known?.blocks === grid.blocks.size && known.packs === packs) return known;
    const others = [...grid.blocks.values()].filter(({ spec }) => spec.name !== 'position');
    const records = [
      ...position.parts,
      ...others.map((block) => residency.ensure(block, grid.count)),
    ];
    const most = this.#gpu.limits.maxStorageBuffersPerShaderStage;
    const passes: Pass[] = [];
    for (let from = 0; from < records.length; ) {
      const packsHere = packs && from === 0;
      const taken = records.slice(from, from + Math.floor((most - (packsHere ? 2 : 1)) / 2));
      from += taken.length;
      const types = taken.map(({ type }) => type.row);
      const kernel = this.#gpu.kernel(permuteKernel(types, packsHere));
      passes.push({ kernel, records: taken, packs: packsHere });
    }
    const plan = { blocks: grid.blocks.size, packs, others, passes };
    this.#plans.set(grid, plan);
    return plan;
  }
}
