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
import { permuteKernel, permuteMoreKernel } from './permuteKernel.js';

/** Parameters that are written to. */
type OwnParams = Record<string, number | readonly number[]>;

/** A kernel of a permutation and the blocks that it moves. */
interface Pass {
  readonly kernel: GpuKernel;
  readonly records: readonly DeviceBlock[];
  readonly isFirst: boolean;
}

/** What every sort of a grid does, until it gets another block or is packed otherwise. */
interface Plan {
  readonly blocks: number;
  readonly packs: boolean;
  readonly others: readonly FieldBlock[];
  readonly passes: readonly Pass[];
}

/** What a sort leaves for the search behind it. */
export interface Sorted {
  readonly position: DeviceBlock;
  /** Begins with the same positions packed, good until the next sort; null where nobody asked for them. */
  readonly candidates: GPUBuffer | null;
}

/**
 * Sorts all blocks of a grid by cell, on the device and by counting:
 *
 *   bin      cell of each particle in the new frame, positions made relative to it; count per cell and per tile of cells, and
 *            a chain of the particles that have arrived in each cell
 *   scan     counts → first row of each cell
 *   permute  every block, from its buffer to its spare, as many in one kernel as it may have buffers; within a cell by old
 *            rows, so that the order is stable whatever the atomics did; positions are packed for a search on the way
 *
 * All that is needed for the moment lies in one buffer of words, because kernels may have few:
 *
 *   scratch  [ candidates: two a row | last: one a cell | earlier: one a particle | place: one a particle ]
 *
 * `last[c]` is the particle that arrived last in cell c, `earlier[i]` the one before i: chains are as long as counts
 * say, and what stands at their ends means nothing. There are candidates where they are wanted, and places (new rows) where
 * one kernel cannot move all blocks.
 */
export class CellSort {
  readonly #gpu: GpuDevice;
  readonly #scan: ExclusiveScan;
  readonly #bin: GpuKernel;
  #bound: { from: PositionFrame; to: PositionFrame; params: OwnParams } | null = null;
  readonly #plans = new WeakMap<Grid, Plan>();
  readonly #mostBytes: number;
  readonly #counts: GrowingBuffer;
  readonly #scratch: GrowingBuffer;
  readonly #values: OwnParams = {};

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#scan = new ExclusiveScan(gpu);
    this.#bin = gpu.kernel(binKernel(gpu.reals.state === 'f64'));
    const { maxBufferSize, maxStorageBufferBindingSize } = gpu.limits;
    this.#mostBytes = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.#counts = new GrowingBuffer(gpu, 'particles of each cell');
    this.#scratch = new GrowingBuffer(
      gpu,
      'chains of cells, candidates of a search',
      this.#mostBytes,
    );
  }

  /**
   * Sorts; `start` receives the first row of each cell, one more number than there are cells.
   * @param packing how candidates are made, if they are wanted; they are left out where there is no room for them.
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
    const cells = frame.dims[0] * frame.dims[1] * frame.dims[2];
    const rows = count + FieldBlock.PADDING;
    const bytes = 4 * (cells + 2 * count);
    const packs = packing !== null && bytes + 8 * rows <= this.#mostBytes;
    const position = residency.ensurePositions(grid, frame);
    const plan = this.#planOf(grid, residency, position, packs);
    for (const block of plan.others) residency.ensure(block, count);
    const scratch = this.#scratch.reserve(packs ? bytes + 8 * rows : bytes);
    const starts = start.reserve(4 * (cells + 1));
    // All zero: new buffers are, and the scan leaves it so.
    const counts = this.#counts.reserve(4 * (cells + 1));
    const last = packs ? 2 * rows : 0;
    const earlier = last + cells;
    const bin = this.#binParams(position.frame, frame);
    const { dims } = Object.assign(bin, { count, last, earlier });
    const binned = [position.buffer, counts, scratch, this.#scan.totals(cells + 1)];
    if (position.low) binned.push(position.low.buffer);
    stream.dispatchThreads(this.#bin, binned, bin, count);
    position.frame = frame;
    this.#scan.run(counts, starts, cells + 1);
    const place = earlier + count;
    Object.assign(this.#values, packing, { dims, count, rows, last, earlier, place });
    this.#permute(plan.passes, rows, scratch, starts);
    for (const block of grid.blocks.values()) residency.written(block);
    grid.sortVersion++;
    return { position, candidates: packs ? scratch : null };
  }

  /** Frames stay for long, and so do the parameters of two. */
  #binParams(from: PositionFrame, to: PositionFrame): OwnParams {
    if (this.#bound?.from !== from || this.#bound.to !== to)
      this.#bound = { from, to, params: binParams(from, to) };
    return this.#bound.params;
  }

  #permute(passes: readonly Pass[], rows: number, scratch: GPUBuffer, starts: GPUBuffer): void {
    for (const { kernel, records, isFirst } of passes) {
      const buffers = isFirst ? [scratch, starts] : [scratch];
      for (const record of records) buffers.push(record.buffer, record.spare);
      this.#gpu.stream.dispatchThreads(kernel, buffers, this.#values, rows);
      for (const record of records) record.swap();
    }
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
      const isFirst = from === 0;
      const taken = records.slice(from, from + Math.floor((most - (isFirst ? 2 : 1)) / 2));
      from += taken.length;
      const types = taken.map(({ type }) => type.row);
      const notes = taken.length < records.length;
      const source = isFirst ? permuteKernel(types, { packs, notes }) : permuteMoreKernel(types);
      passes.push({ kernel: this.#gpu.kernel(source), records: taken, isFirst });
    }
    const plan = { blocks: grid.blocks.size, packs, others, passes };
    this.#plans.set(grid, plan);
    return plan;
  }
}
