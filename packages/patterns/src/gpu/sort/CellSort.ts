import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { Packing } from '../neighbours/candidates.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { BlockMoves } from './BlockMoves.js';
import { binKernel, binParams } from './binKernel.js';
import { ExclusiveScan } from './ExclusiveScan.js';

/** Parameters that are written to. */
type OwnParams = Record<string, number | readonly number[]>;

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
  readonly #moves = new WeakMap<Grid, BlockMoves>();
  readonly #mostBytes: number;
  readonly #counts: GrowingBuffer;
  readonly #scratch: GrowingBuffer;
  /** Of kernels that move blocks. */
  readonly #values: OwnParams = {
    dims: 0,
    count: 0,
    rows: 0,
    last: 0,
    earlier: 0,
    place: 0,
    perCell: 0,
    perLength: 0,
  };

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
    const moves = this.#movesOf(grid, residency, position, packs);
    moves.ensure();
    const scratch = this.#scratch.reserve(packs ? bytes + 8 * rows : bytes);
    const starts = start.reserve(4 * (cells + 1));
    // All zero: new buffers are, and the scan leaves it so.
    const counts = this.#counts.reserve(4 * (cells + 1));
    const last = packs ? 2 * rows : 0;
    const earlier = last + cells;
    const bin = this.#binParams(position.frame, frame);
    bin.count = count;
    bin.last = last;
    bin.earlier = earlier;
    const binned = [position.buffer, counts, scratch, this.#scan.totals(cells + 1)];
    if (position.low) binned.push(position.low.buffer);
    stream.dispatchThreads(this.#bin, binned, bin, count);
    position.frame = frame;
    this.#scan.run(counts, starts, cells + 1);
    const values = this.#values;
    values.dims = bin.dims!;
    values.count = count;
    values.rows = rows;
    values.last = last;
    values.earlier = earlier;
    values.place = earlier + count;
    values.perCell = packing ? packing.perCell : 0;
    values.perLength = packing ? packing.perLength : 0;
    moves.run(scratch, starts, values, rows);
    grid.sortVersion++;
    return { position, candidates: packs ? scratch : null };
  }

  /** Frames stay for long, and so do the parameters of two. */
  #binParams(from: PositionFrame, to: PositionFrame): OwnParams {
    if (this.#bound?.from !== from || this.#bound.to !== to)
      this.#bound = { from, to, params: binParams(from, to) };
    return this.#bound.params;
  }

  #movesOf(grid: Grid, residency: Residency, position: DeviceBlock, packs: boolean): BlockMoves {
    let moves = this.#moves.get(grid);
    if (!moves?.serve(packs)) {
      moves = new BlockMoves(this.#gpu, residency, grid, position, packs);
      this.#moves.set(grid, moves);
    }
    return moves;
  }
}
