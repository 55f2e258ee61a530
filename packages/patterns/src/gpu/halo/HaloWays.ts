import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { moveBorder, moveGhosts, packWays } from './wayKernels.js';

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
  /** The longest way along an axis. */
  #range = 0;
  /** Whether both lists are there, of all ranks: otherwise positions travel as they are. */
  areTold = false;

  constructor(runner: CallRunner, buffers: HaloBuffers, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#own = own;
    this.#seen = seen;
  }

  /** Lists are built for this skin, the same on all ranks. */
  begin(skin: number): void {
    this.#range = (skin / 2) * BEYOND;
    this.areTold = false;
  }

  /** @param packed takes those of so many rows that others see */
  pack(packed: GPUBuffer, count: number): void {
    const buffers = [...this.#ofOwn, this.#buffers.named('sent'), packed];
    this.#buffers.dispatch(packWays, buffers, { ...this.#params, count }, count);
  }

  /** Moves the halo. @param landed ways of the ghosts */
  place(landed: GPUBuffer, ghosts: number, border: number): void {
    const { residency } = this.#runner;
    const halo = [
      this.#runner.neighbors.lists(this.#seen)!.reference.buffer,
      residency.ensurePositions(this.#seen).buffer,
    ];
    residency.written(this.#seen.block('position'));
    const to = (name: string) => this.#buffers.named(name);
    const params = { range: this.#range, count: ghosts };
    this.#buffers.dispatch(moveGhosts, [landed, to('ghosts to'), ...halo], params, ghosts);
    const own = [...this.#ofOwn, to('border from'), to('border to')];
    this.#buffers.dispatch(
      moveBorder,
      [...own, ...halo],
      { ...this.#params, count: border },
      border,
    );
  }

  get #params() {
    const { frame } = this.#runner.residency.ensurePositions(this.#own);
    return { ...frameValues(frame), range: this.#range };
  }

  /** Positions of own particles, and those when lists were built. */
  get #ofOwn(): readonly GPUBuffer[] {
    const { residency, neighbors } = this.#runner;
    const { buffer } = residency.ensurePositions(this.#own);
    return [buffer, neighbors.lists(this.#own)!.reference.buffer];
  }
}
