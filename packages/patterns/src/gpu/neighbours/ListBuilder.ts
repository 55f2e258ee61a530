import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { DeviceLists } from './DeviceLists.js';
import { SLACK, searchKernel } from './searchKernel.js';

/** Lists reach this much farther than asked for, because positions are rounded. */
const ROUNDING = 1 + 1e-6;

type Values = Record<string, number | readonly number[]>;

/** Fills the lists of a sorted grid. */
export class ListBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #most: GPUBuffer;
  #bound: { frame: PositionFrame; radius: number; values: Values } | null = null;
  /** What one buffer may hold; longer lists are split. */
  mostBytes: number;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    const { maxBufferSize, maxStorageBufferBindingSize } = gpu.limits;
    this.mostBytes = 16 * Math.floor(Math.min(maxBufferSize, maxStorageBufferBindingSize) / 16);
    this.#most = gpu.buffer('most neighbours', 16);
  }

  /**
   * Counts every particle's neighbours and stores as many as there is room for.
   * @returns the largest number of neighbours, which may exceed the capacity: then grow and build again.
   */
  async build(lists: DeviceLists, position: DeviceBlock): Promise<number> {
    const { stream } = this.#gpu;
    stream.clear(this.#most);
    this.record(lists, position, this.#most, 0);
    const readback = stream.read(this.#most, 4);
    readback.hurry();
    return new Uint32Array(await readback.data)[0]!;
  }

  /** Builds without waiting; the largest number of neighbours goes to word `at` of `most`, if it is larger. */
  record(lists: DeviceLists, position: DeviceBlock, most: GPUBuffer, at: number): void {
    const { stream } = this.#gpu;
    const frame = lists.frame!;
    const { count, capacity, radius } = lists;
    const counts = lists.counts.reserve(4 * count);
    lists.makeRoom(this.mostBytes);
    const values = this.#valuesFor(frame, radius);
    for (const { first, end, entries } of lists.chunks) {
      stream.dispatchThreads(
        this.#kernel(frame),
        [position.buffer, lists.start.buffer, counts, entries.buffer, most],
        Object.assign(values, {
          count,
          first,
          end,
          capacity,
          columns: capacity / 4,
          stride: lists.stride,
          at,
        }),
        end - first,
      );
    }
  }

  /** Frames stay for long, and so do the parameters made from them. */
  #valuesFor(frame: PositionFrame, radius: number): Values {
    if (this.#bound?.frame === frame && this.#bound.radius === radius) return this.#bound.values;
    const values: Values = {
      ...frameValues(frame),
      periodic: [...frame.domain.periodic.map(Number), 0],
      reach: [...reachOf(frame, radius), 0],
      radius2: (radius * ROUNDING) ** 2,
      magic: 0x4b000000,
    };
    this.#bound = { frame, radius, values };
    return values;
  }

  #kernel({ domain }: PositionFrame): GpuKernel {
    const { isOrthorhombic } = domain;
    const trimmed = isOrthorhombic && !domain.periodic.includes(false);
    const key = `${isOrthorhombic}${trimmed}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#gpu.kernel(searchKernel(isOrthorhombic, trimmed));
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

const heightOf = ({ domain, length, dims }: PositionFrame, axis: 0 | 1 | 2): number =>
  (domain.heights[axis] * length[axis]) / dims[axis];

/** Cells that a list radius spans along each axis. Correct for any frame; see `PARTS`. */
export function reachOf(frame: PositionFrame, radius: number): [number, number, number] {
  const along = (axis: 0 | 1 | 2): number => {
    if (frame.dims[axis] === 1 && !frame.domain.periodic[axis]) return 0;
    return Math.min(frame.dims[axis], Math.ceil((radius * SLACK) / heightOf(frame, axis)));
  };
  return [along(0), along(1), along(2)];
}

/** The largest radius that spans no more cells along each axis than these. */
export function widestIn(frame: PositionFrame, cells: readonly [number, number, number]): number {
  const axes = [0, 1, 2] as const;
  return Math.min(...axes.map((axis) => (cells[axis] * heightOf(frame, axis)) / SLACK));
}
