import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { binKernel, binParams } from './binKernel.js';
import type { BinPlaces } from './binText.js';

/** What a sort wants of its first step. */
export interface BinTarget {
  /** What positions shall be relative to cells of. */
  readonly frame: PositionFrame;
  readonly places: BinPlaces;
  readonly buffer: GPUBuffer;
  /** Image flags; null where particles have none. */
  readonly images: GPUBuffer | null;
}

/** Asks a kernel that moves particles to bin them. @returns whether they will have been binned when the next command runs. */
export type Binner = (target: BinTarget) => boolean;

/**
 * The first step of a sort. Where the frame stays and the kernel that moves particles is still kept back, that one does
 * it, and no kernel need read and write all positions for it; otherwise a kernel of its own.
 */
export class Binning {
  readonly #gpu: GpuDevice;
  readonly #isDouble: boolean;
  /** Without image flags, and with them. */
  readonly #kernels: [GpuKernel?, GpuKernel?] = [];
  /** Frames change seldom, and so do the parameters of two. */
  #bound: {
    readonly from: PositionFrame;
    readonly to: PositionFrame;
    readonly params: ReturnType<typeof binParams>;
  } | null = null;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#isDouble = gpu.reals.state === 'f64';
  }

  run(
    grid: Grid,
    position: DeviceBlock & { frame: PositionFrame },
    target: BinTarget,
    binner: Binner | null,
  ): void {
    const { frame, places, buffer, images } = target;
    if (position.frame === frame && binner?.(target)) return;
    const params = this.#paramsOf(position.frame, frame);
    params.count = grid.count;
    Object.assign(params, places);
    const bound = [position.buffer, buffer];
    if (position.low) bound.push(position.low.buffer);
    if (images) bound.push(images);
    this.#gpu.stream.dispatchThreads(this.prepare(images !== null), bound, params, grid.count);
    position.frame = frame;
  }

  /** The kernel for particles without image flags, or with them; made when it is first asked for. */
  prepare(hasImages: boolean): GpuKernel {
    const at = hasImages ? 1 : 0;
    this.#kernels[at] ??= this.#gpu.kernel(binKernel({ isDouble: this.#isDouble, hasImages }));
    return this.#kernels[at];
  }

  #paramsOf(from: PositionFrame, to: PositionFrame): ReturnType<typeof binParams> {
    if (this.#bound?.from !== from || this.#bound.to !== to)
      this.#bound = { from, to, params: binParams(from, to) };
    return this.#bound.params;
  }
}
