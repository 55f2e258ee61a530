import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import type { RowsOnDevice } from '../calls/JoinedCells.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { WAY_STEPS, wayKernels } from './wayKernels.js';

/** Ways are told a little beyond what lists put up with, for rounding. */
const BEYOND = 1 + 1e-3;

/**
 * Positions on their way as long as lists serve: how far particles have gone since then, which is less than half the skin, in half the
 * bytes of a position. Both sides of a border round alike.
 */
export class HaloWays {
  readonly #runner: CallRunner;
  readonly #buffers: HaloBuffers;
  readonly #own: Grid;
  readonly #seen: Grid;
  readonly #kernels: (typeof wayKernels)[keyof typeof wayKernels];
  /** What ways are told in, and what that leaves of them. */
  #units = { unit: 0, fine: 0 };
  #areTold = false;

  constructor(runner: CallRunner, buffers: HaloBuffers, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#own = own;
    this.#seen = seen;
    this.#kernels = wayKernels[runner.gpu.reals.state];
  }

  /** Lists are built for this skin, the same on all ranks. */
  begin(skin: number): void {
    const unit = ((skin / 2) * BEYOND) / WAY_STEPS;
    this.#units = { unit, fine: unit / WAY_STEPS };
    this.#areTold = false;
  }

  /** Both lists are there, of all ranks, and particles are where they were built. @param grids with lists */
  built(grids: readonly Grid[]): void {
    this.#areTold = true;
    if (this.#runner.gpu.reals.state === 'f32') return;
    for (const grid of grids.filter(({ count }) => count > 0)) {
      const { low } = this.#runner.residency.ensurePositions(grid);
      this.#runner.neighbors.lists(grid)!.keepLow(low!.buffer);
    }
  }

  /** Whether positions travel so, and not as they are. */
  get areTold(): boolean {
    return this.#areTold;
  }

  get bytesPerRow(): number {
    return this.#kernels.bytes;
  }

  /** @param first those before them in `packed` */
  pack({ buffer: rows, length: count }: RowsOnDevice, packed: GPUBuffer, first: number): void {
    const { residency, neighbors } = this.#runner;
    const { buffer, low, frame } = residency.ensurePositions(this.#own);
    const { reference, referenceLow } = neighbors.lists(this.#own)!;
    const bound = [buffer, reference.buffer, rows, packed];
    if (low) bound.push(low.buffer, referenceLow.buffer);
    const params = { ...frameValues(frame), ...this.#units, first, count };
    this.#buffers.dispatch(this.#kernels.pack, bound, params, count);
  }

  /** Moves the halo. @param landed ways of ghosts, then of border particles */
  place(landed: GPUBuffer): void {
    const { residency, neighbors } = this.#runner;
    const { count } = this.#seen;
    const { buffer, low } = residency.ensurePositions(this.#seen);
    const { reference, referenceLow } = neighbors.lists(this.#seen)!;
    const bound = [landed, this.#buffers.named('seen to'), reference.buffer, buffer];
    if (low) bound.push(referenceLow.buffer, low.buffer);
    this.#buffers.dispatch(this.#kernels.move, bound, { ...this.#units, count }, count);
    residency.written(this.#seen.block('position'));
  }
}
