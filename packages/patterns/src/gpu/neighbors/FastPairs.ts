import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type FastLimits, squaredLimits } from './fastLimits.js';
import { fastPairKernel, TILE } from './fastPairKernel.js';

/** Marks records of updates whose fast particles came too close for their lists. */
export class FastPairs {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<boolean, GpuKernel>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Looks at the first `lists` lists of a buffer of records; to look again changes nothing. */
  check(records: GPUBuffer, lists: number, limits: FastLimits): void {
    const { skin, tau, mostFast, frame } = limits;
    const tiles = Math.ceil(mostFast / TILE);
    const { near2, listed2 } = squaredLimits(limits);
    // What is near half the skin, or near the most, is judged by the host.
    const half2 = ((skin / 2) * (1 - 1e-4)) ** 2;
    const most2 = ((skin - tau) * (1 + 1e-4)) ** 2;
    const values = { lists, mostFast, tiles, skin, half2, most2, near2, listed2 };
    const params = { ...frameValues(frame), ...values };
    this.#gpu.stream.dispatch(
      this.#kernel(frame.domain.isOrthorhombic),
      [records],
      params,
      lists * tiles,
    );
  }

  #kernel(orthorhombic: boolean): GpuKernel {
    let kernel = this.#kernels.get(orthorhombic);
    if (!kernel) {
      kernel = this.#gpu.kernel(fastPairKernel(orthorhombic));
      this.#kernels.set(orthorhombic, kernel);
    }
    return kernel;
  }
}
