import { FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Packing } from '../neighbors/candidates.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type Binner, Binning } from './Binning.js';
import { BlockMoves, type MoveWay } from './BlockMoves.js';
import { SortScratch } from './SortScratch.js';
import { shapeFor } from './TileShape.js';

/** What a sort leaves for the search after it. */
export interface Sorted {
  readonly position: DeviceBlock;
  /** The same positions packed, at its beginning and good until the next sort; null where they were not asked for. */
  readonly candidates: GPUBuffer | null;
}

/**
 * Sorts all blocks of a grid by cell, on the device and by counting:
 *
 *   bin      cell of each particle in the new frame, positions made relative to it; boxes that are taken off are counted in
 *            image flags, where the grid has them; count per cell and per tile of cells, and
 *            a chain of the particles that have arrived in each cell; at the end of what moves particles, if it can be
 *   permute  first row of each cell from the counts; every block, from its buffer to its second one, as many in one kernel as it
 *            may have buffers; within a cell by old rows, so that the order is stable whatever the atomics did; positions
 *            are packed for a search on the way
 *
 * `SortScratch` draws what these pass on.
 */
export class CellSort {
  readonly #gpu: GpuDevice;
  readonly #binning: Binning;
  readonly #moves = new WeakMap<Grid, BlockMoves>();
  readonly #scratch: SortScratch;
  /** Of the last sort. */
  #frame: PositionFrame | null = null;
  /** Of kernels that move blocks. */
  readonly #values = {
    dims: 0 as number | readonly number[],
    cells: 0,
    tiles: 0,
    counts: 0,
    totals: 0,
    before: 0,
    used: 0,
    count: 0,
    rows: 0,
    last: 0,
    earlier: 0,
    members: 0,
    place: 0,
    perCell: 0,
    perLength: 0,
  };

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#binning = new Binning(gpu);
    this.#scratch = new SortScratch(gpu);
  }

  /**
   * Sorts; `start` receives the first row of each cell, one more number than there are cells.
   * @param packing how candidates are made, if they are wanted
   * @param binner asked first to bin.
   */
  run(
    grid: Grid,
    residency: Residency,
    frame: PositionFrame,
    start: GrowingBuffer,
    packing: Packing | null,
    binner: Binner | null = null,
  ): Sorted {
    const { count } = grid;
    const cells = frame.dims[0] * frame.dims[1] * frame.dims[2];
    const scratch = this.#scratch;
    const packs = packing && scratch.candidatesPlace(cells, count);
    const position = residency.ensurePositions(grid, frame);
    const flags = grid.blocks.get(imageFlags.name);
    this.#binning.prepare(flags !== undefined); // the first kernel of a sort, also in a list of kernels
    const { segmentBytes } = this.#gpu;
    const moves = this.#movesOf(grid, residency, position, {
      ...{ packs, shape: shapeFor(cells) },
      scratchBindings: Math.ceil(scratch.mostBytesOf(cells, count, packs) / segmentBytes),
      positionBindings: Math.ceil((position.bytesPerRow * count) / segmentBytes),
    });
    moves.ensure();
    const buffer = scratch.reserve({
      cells,
      count,
      packs: packs === 'scratch',
      notes: moves.notes,
    });
    const apart = packs === 'apart' ? scratch.candidates(count) : null;
    const starts = start.reserve(4 * (cells + 1));
    const { last, earlier, counts, totals, tileBits } = scratch;
    const places = { last, earlier, counts, totals, tileBits };
    const images = flags ? residency.ensure(flags, count).buffer : null;
    this.#binning.run(grid, position, { frame, places, buffer, images }, binner);
    if (flags) residency.written(flags);
    const values = this.#values;
    if (this.#frame !== frame) values.dims = frameValues(frame).dims!;
    this.#frame = frame;
    values.cells = cells;
    values.tiles = scratch.tiles;
    values.counts = scratch.counts;
    values.totals = scratch.totals;
    values.before = scratch.before;
    values.used = scratch.used;
    values.count = count;
    values.rows = count + FieldBlock.PADDING;
    values.last = scratch.last;
    values.earlier = scratch.earlier;
    values.members = scratch.members;
    values.place = scratch.place;
    values.perCell = packing ? packing.perCell : 0;
    values.perLength = packing ? packing.perLength : 0;
    moves.run(buffer, starts, apart, values);
    scratch.sorted();
    grid.sortVersion++;
    return { position, candidates: packs ? (apart ?? buffer) : null };
  }

  #movesOf(grid: Grid, residency: Residency, position: DeviceBlock, way: MoveWay): BlockMoves {
    let moves = this.#moves.get(grid);
    if (!moves?.serve(way)) {
      moves = new BlockMoves(this.#gpu, residency, grid, position, way);
      this.#moves.set(grid, moves);
    }
    return moves;
  }
}
