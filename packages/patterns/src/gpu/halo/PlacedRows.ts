import type { FieldBlock, Grid } from '@corpuscle/core';
import type { HaloOrigin } from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { addRows, wordsOfNumber } from './addKernels.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { scatterRows } from './haloKernels.js';
import { type PlaceParams, placeFrames } from './placeFrames.js';
import { placeKernels } from './placeKernel.js';

/** Rows of the own grid in a halo beside it: ghosts that have arrived, then border particles. */
export class PlacedRows {
  readonly #runner: CallRunner;
  readonly #buffers: HaloBuffers;
  readonly #own: Grid;
  readonly #seen: Grid;
  #params: PlaceParams = {};

  constructor(runner: CallRunner, buffers: HaloBuffers, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#own = own;
    this.#seen = seen;
  }

  /** Others are in the halo. @param origins that of the own grid first */
  begin(origins: readonly HaloOrigin[]): void {
    const { frame } = this.#runner.residency.ensurePositions(this.#seen);
    const frames = placeFrames(origins, frame);
    this.#buffers.upload('origins', frames.words);
    this.#params = frames.params;
  }

  /** Puts positions into the frame of the halo. @param landed in the frames of their origins */
  positions(landed: GPUBuffer): void {
    const { residency, gpu } = this.#runner;
    const { count } = this.#seen;
    const { parts } = residency.ensurePositions(this.#seen);
    const [from, to, origins] = ['seen from', 'seen to', 'origins'].map((name) =>
      this.#buffers.named(name),
    );
    const bound = [landed, from!, to!, origins!, ...parts.map(({ buffer }) => buffer)];
    const kernel = placeKernels[gpu.reals.state];
    this.#buffers.dispatch(kernel, bound, { ...this.#params, count }, count);
    residency.written(this.#seen.block('position'));
  }

  /** The same for rows of another block. */
  rows(block: FieldBlock, landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const target = this.#seen.block(block.spec.name);
    const { count } = this.#seen;
    const { buffer, type } = residency.ensure(target, count);
    const rows = [landed, this.#buffers.named('seen to'), buffer];
    this.#buffers.move(scatterRows, rows, count, type.words);
    residency.written(target);
  }

  /** Adds what border particles have received in the halo to what they have. @param ghosts in the halo */
  collect(name: string, ghosts: number): void {
    const { residency } = this.#runner;
    const own = this.#own.block(name);
    const halo = residency.ensure(this.#seen.block(name), this.#seen.count);
    const { buffer, type } = residency.ensure(own, this.#own.count);
    const numbers = type.words / wordsOfNumber(type.scalar);
    const count = this.#seen.count - ghosts;
    const [to, from] = ['seen to', 'border from'].map((rows) => this.#buffers.named(rows));
    const bound = [halo.buffer, to!, from!, buffer];
    const params = { first: ghosts, count, numbers };
    this.#buffers.dispatch(addRows(type.scalar), bound, params, count * numbers);
    residency.written(own);
  }
}
