import { type FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import { joinBytes } from '@corpuscle/core/platform';
import type { HaloBricks, HaloFrame, HaloOrigin, MovingRows } from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { RowsOnDevice } from '../calls/JoinedCells.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { moveRows, scatterRows } from './haloKernels.js';
import { numbersFrom } from './numbersFrom.js';
import { placeFrames } from './placeFrames.js';
import { placeKernels } from './placeKernel.js';
import type { RowSelection } from './RowSelection.js';
import type { Staging } from './Staging.js';
import { boxesOfCode } from './selectKernels.js';

/** Codes of the boxes that a particle may be away. */
const CODES = 27;
const boxesOf = Array.from({ length: CODES }, (_, code) => boxesOfCode(code));
const NOTHING: MovingRows = { count: 0, bytes: new Uint8Array(0) };

/**
 * Particles that go from one rank to another, device to device. What is sent of some of them is block after block, and before these
 * the codes of the boxes that each is away.
 */
export class Migration {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #buffers: HaloBuffers;
  readonly #staging: Staging;
  readonly #selection: RowSelection;
  /** Rows of those that leave. */
  #gone = new Uint32Array(0);

  constructor(
    runner: CallRunner,
    grid: Grid,
    buffers: HaloBuffers,
    staging: Staging,
    selection: RowSelection,
  ) {
    this.#runner = runner;
    this.#grid = grid;
    this.#buffers = buffers;
    this.#staging = staging;
    this.#selection = selection;
  }

  /** What goes to each rank. */
  async leave({ bricks, rank, wrapped }: HaloBricks): Promise<readonly MovingRows[]> {
    const found = await this.#selection.find(this.#grid, bricks, 'leaving', rank, wrapped);
    const counts = [...found.counts.subarray(0, bricks.length)];
    const total = counts.reduce((sum, one) => sum + one, 0);
    this.#gone = new Uint32Array(total);
    if (total === 0) return bricks.map(() => NOTHING);
    const rows = this.#buffers.reserve('leaving', 4 * total);
    this.#runner.gpu.stream.copy(found.rows, rows, 4 * total);
    const parts = [
      { bytesPerRow: 4, from: found.codes },
      ...this.#blocks().map((block) => ({
        bytesPerRow: 4 * block.record.wordsTogether,
        from: this.#pack(block, { buffer: rows, length: total }),
      })),
    ];
    const sizes = [4, ...parts.map(({ bytesPerRow }) => bytesPerRow)];
    const read = this.#staging.read(
      [rows, ...parts.map(({ from }) => from)].map((from, k) => ({
        from,
        bytes: sizes[k]! * total,
      })),
    );
    const all = (await read.bytes).slice();
    read.release();
    let begin = 0;
    const [gone, ...columns] = sizes.map((size) => {
      begin += size * total;
      return all.subarray(begin - size * total, begin);
    });
    this.#gone = new Uint32Array(all.buffer, gone!.byteOffset, total);
    let first = 0;
    return counts.map((count) => {
      const from = first;
      first += count;
      const pieces = columns.map((column, k) => {
        const { bytesPerRow } = parts[k]!;
        return column.subarray(from * bytesPerRow, first * bytesPerRow);
      });
      return { count, bytes: joinBytes(pieces) };
    });
  }

  /** Takes what has come, in place of those that have left. @returns how many there are now */
  arrive(arriving: readonly MovingRows[], frames: readonly HaloFrame[]): number {
    const { residency } = this.#runner;
    const before = this.#grid.count;
    const coming = arriving.reduce((sum, { count }) => sum + count, 0);
    const after = before + coming - this.#gone.length;
    if (coming === 0 && this.#gone.length === 0) return after;
    const records = this.#blocks();
    const { frame } = residency.ensurePositions(this.#grid);
    const resize = (rows: number): void => {
      for (const { block, isPosition } of records)
        residency.resize(block, rows, isPosition ? frame : null);
    };
    resize(before + coming);
    if (coming > 0) this.#append(arriving, frames, before, coming);
    this.#closeGaps(before + coming, after);
    resize(after);
    return after;
  }

  #append(
    arriving: readonly MovingRows[],
    frames: readonly HaloFrame[],
    first: number,
    count: number,
  ): void {
    const records = this.#blocks();
    const sizes = [4, ...records.map(({ record }) => 4 * record.wordsTogether)];
    const columns = columnsOf(arriving, sizes, count);
    const codes = new Uint32Array(columns[0]!.buffer);
    const rows = this.#buffers.upload('arrived rows', numbersFrom(first, count));
    records.forEach(({ block, isPosition, record }, k) => {
      const column = columns[k + 1]!;
      if (block.spec.name === imageFlags.name) countBoxes(new Int32Array(column.buffer), codes);
      const landed = this.#buffers.upload('arrived words', new Uint32Array(column.buffer));
      const { buffer, type } = record;
      if (isPosition) this.#placePositions(landed, rows, codes, arriving, frames);
      else this.#buffers.move(scatterRows, [landed, rows, buffer], count, type.words);
    });
  }

  /** Positions of those that have come, in the box and the frame of this rank. */
  #placePositions(
    landed: GPUBuffer,
    rows: GPUBuffer,
    codes: Uint32Array,
    arriving: readonly MovingRows[],
    frames: readonly HaloFrame[],
  ): void {
    const { residency, gpu } = this.#runner;
    const { parts, frame } = residency.peek(this.#grid.block('position'))!;
    const { matrix } = this.#grid.domain;
    const origins = frames.flatMap((one): HaloOrigin[] =>
      boxesOf.map((boxes) => {
        const along = (k: number) =>
          -(boxes[0] * matrix[k]! + boxes[1] * matrix[k + 3]! + boxes[2] * matrix[k + 6]!);
        return { frame: one, shift: [along(0), along(1), along(2)] };
      }),
    );
    const from = new Uint32Array(codes.length);
    let at = 0;
    arriving.forEach(({ count }, rank) => {
      for (let k = 0; k < count; k++, at++) from[at] = CODES * rank + codes[at]!;
    });
    const { words, params } = placeFrames(origins, frame!);
    const placed = [
      landed,
      this.#buffers.upload('arrived from', from),
      rows,
      this.#buffers.upload('origins of arrivals', words),
      ...parts.map(({ buffer }) => buffer),
    ];
    const count = codes.length;
    const kernel = placeKernels[gpu.reals.state];
    this.#buffers.dispatch(kernel, placed, { ...params, count }, count);
  }

  /** Rows from the end take the places of those that have left. */
  #closeGaps(rows: number, after: number): void {
    const gone = this.#gone.slice().sort();
    const firstBeyond = gone.findIndex((row) => row >= after);
    const to = firstBeyond < 0 ? gone : gone.subarray(0, firstBeyond);
    if (to.length === 0) return;
    const from = new Uint32Array(to.length);
    let last = gone.length - 1;
    for (let [row, k] = [rows - 1, 0]; k < from.length; row--)
      if (row === gone[last]) last--;
      else from[k++] = row;
    const names = [this.#buffers.upload('moved from', from), this.#buffers.upload('moved to', to)];
    for (const { record } of this.#blocks())
      for (const { buffer, type } of record.parts)
        this.#buffers.move(moveRows, [...names, buffer], to.length, type.words);
  }

  #pack({ block, record }: MovedBlock, rows: RowsOnDevice): GPUBuffer {
    const bytes = 4 * record.wordsTogether * rows.length;
    const packed = this.#buffers.reserve(`leaving ${block.spec.name}`, bytes);
    this.#buffers.gather(record, rows, packed);
    return packed;
  }

  /** All blocks of the grid, on the device. */
  #blocks(): readonly MovedBlock[] {
    const { residency } = this.#runner;
    return [...this.#grid.blocks.values()].map((block) => {
      const isPosition = block.spec.name === 'position';
      const known = residency.peek(block);
      const isThere = known !== undefined && !residency.isStale(block);
      const record: DeviceBlock = isThere
        ? known
        : isPosition
          ? residency.ensurePositions(this.#grid)
          : residency.ensure(block, this.#grid.count);
      return { block, isPosition, record };
    });
  }
}

interface MovedBlock {
  readonly block: FieldBlock;
  readonly isPosition: boolean;
  readonly record: DeviceBlock;
}

/** Columns of all that has come, rank after rank. @param sizes bytes of a row in each */
function columnsOf(
  arriving: readonly MovingRows[],
  sizes: readonly number[],
  count: number,
): Uint8Array<ArrayBuffer>[] {
  const columns = sizes.map((size) => new Uint8Array(size * count));
  let row = 0;
  for (const { count: rows, bytes } of arriving) {
    let at = 0;
    sizes.forEach((size, k) => {
      columns[k]!.set(bytes.subarray(at, at + size * rows), size * row);
      at += size * rows;
    });
    row += rows;
  }
  return columns;
}

/** Boxes that are taken off positions are counted in image flags. */
function countBoxes(flags: Int32Array, codes: Uint32Array): void {
  for (let row = 0; row < codes.length; row++) {
    const [a, b, c] = boxesOf[codes[row]!]!;
    flags[4 * row]! += a;
    flags[4 * row + 1]! += b;
    flags[4 * row + 2]! += c;
  }
}
