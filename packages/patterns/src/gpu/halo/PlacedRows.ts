import type { FieldBlock, Grid } from '@corpuscle/core';
import type { HaloOrigin } from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { addRows, copyRows, placeArrived, placeBorder, scatterRows } from './haloKernels.js';
import { type PlaceParams, placeFrames } from './placeFrames.js';

/** Rows of the own grid in a halo beside it: border particles, and ghosts that have arrived. */
export class PlacedRows {
  readonly #runner: CallRunner;
  readonly #buffers: HaloBuffers;
  readonly #own: Grid;
  readonly #seen: Grid;
  #border = 0;
  #ghosts = 0;
  #params: PlaceParams = {};

  constructor(runner: CallRunner, buffers: HaloBuffers, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#own = own;
    this.#seen = seen;
  }

  /** Other rows: so many border particles and ghosts. @param origins that of the own grid first */
  begin(border: number, ghosts: number, origins: readonly HaloOrigin[]): void {
    this.#border = border;
    this.#ghosts = ghosts;
    const { frame } = this.#runner.residency.ensurePositions(this.#seen);
    const frames = placeFrames(origins, frame);
    this.#buffers.upload('origins', frames.words);
    this.#params = frames.params;
  }

  /** Puts positions of ghosts, and of the border, into the frame of the halo. @param landed those of ghosts, in the frames of their origins */
  positions(landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const placed = residency.ensurePositions(this.#seen);
    residency.written(this.#seen.block('position'));
    const put = (
      source: KernelSource,
      from: GPUBuffer,
      rows: readonly GPUBuffer[],
      count: number,
    ) => {
      const buffers = [from, ...rows, this.#buffers.named('origins'), placed.buffer];
      this.#buffers.dispatch(source, buffers, { ...this.#params, count }, count);
    };
    const ghosts = [this.#buffers.named('ghosts from'), this.#buffers.named('ghosts to')];
    put(placeArrived, landed, ghosts, this.#ghosts);
    const { buffer } = residency.ensurePositions(this.#own);
    put(placeBorder, buffer, this.#borderRows, this.#border);
  }

  /** The same for rows of another block. */
  rows(block: FieldBlock, landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const target = this.#seen.block(block.spec.name);
    const { buffer } = residency.ensure(target, this.#seen.count);
    const { buffer: own, type } = this.ofOwn(block);
    const to = this.#buffers.named('ghosts to');
    this.#buffers.move(scatterRows, [landed, to, buffer], this.#ghosts, type.words);
    this.#buffers.move(copyRows, [own, ...this.#borderRows, buffer], this.#border, type.words);
    residency.written(target);
  }

  /** Adds what border particles have received in the halo to what they have. */
  collect(name: string): void {
    const { residency } = this.#runner;
    const own = this.#own.block(name);
    const halo = residency.ensure(this.#seen.block(name), this.#seen.count);
    const { buffer, type } = this.ofOwn(own);
    const buffers = [halo.buffer, ...this.#borderRows, buffer];
    this.#buffers.move(addRows, buffers, this.#border, type.words);
    residency.written(own);
  }

  /** A block of the own grid on the device. */
  ofOwn(block: FieldBlock): DeviceBlock {
    const { residency } = this.#runner;
    if (block.spec.name === 'position') return residency.ensurePositions(this.#own);
    return residency.ensure(block, this.#own.count);
  }

  get #borderRows(): readonly GPUBuffer[] {
    return [this.#buffers.named('border from'), this.#buffers.named('border to')];
  }
}
