import { FieldBlock } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { packingValues, packKernel } from './candidates.js';
import type { DeviceLists } from './DeviceLists.js';
import { SLACK, searchKernel } from './searchKernel.js';

/** So many particles are packed before a search: for fewer, whose host is in a hurry, that is not worth a kernel. */
const MANY = 2 ** 17;
/** Lists reach this much farther than asked for, because positions are rounded. */
const ROUNDING = 1 + 1e-6;

type Values = Record<string, number | readonly number[]>;

/** Fills the lists of a sorted grid. */
export class ListBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #most: GPUBuffer;
  readonly #candidates: GrowingBuffer;
  #packer: GpuKernel | null = null;
  #bound: { frame: PositionFrame; radius: number; values: Values } | null = null;
  /** What one buffer may hold; longer lists are split. */
  mostBytes: number;
  /** So many particles are packed before a search, if their cells are rectangular. */
  packFrom = MANY;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    const { maxBufferSize, maxStorageBufferBindingSize } = gpu.limits;
    this.mostBytes = 16 * Math.floor(Math.min(maxBufferSize, maxStorageBufferBindingSize) / 16);
    this.#most = gpu.buffer('most neighbours', 16);
    this.#candidates = new GrowingBuffer(gpu, 'candidates of a search');
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
    const packed = isTrimmed(frame) && count >= this.packFrom;
    const kernel = this.#kernel(frame, packed);
    const columns = capacity / 4;
    Object.assign(values, { count, capacity, columns, stride: lists.stride, at });
    const shared = packed ? [this.#pack(position, count, values)] : [];
    for (const { first, end, entries } of lists.chunks) {
      const buffers = [
        position.buffer,
        lists.start.buffer,
        counts,
        entries.buffer,
        most,
        ...shared,
      ];
      stream.dispatchThreads(kernel, buffers, Object.assign(values, { first, end }), end - first);
    }
  }

  #pack(position: DeviceBlock, count: number, values: Values): GPUBuffer {
    this.#packer ??= this.#gpu.kernel(packKernel);
    const candidates = this.#candidates.reserve(8 * (count + FieldBlock.PADDING));
    const buffers = [position.buffer, candidates];
    this.#gpu.stream.dispatchThreads(this.#packer, buffers, values, count);
    return candidates;
  }

  /** Frames stay for long, and so do the parameters made from them. */
  #valuesFor(frame: PositionFrame, radius: number): Values {
    if (this.#bound?.frame === frame && this.#bound.radius === radius) return this.#bound.values;
    const values: Values = {
      ...frameValues(frame),
      periodic: [...frame.domain.periodic.map(Number), 0],
      reach: [...reachOf(frame, radius), 0],
      radius2: (radius * ROUNDING) ** 2,
      ...(isTrimmed(frame) ? packingValues(frame, radius) : {}),
    };
    this.#bound = { frame, radius, values };
    return values;
  }

  #kernel(frame: PositionFrame, packed: boolean): GpuKernel {
    const { isOrthorhombic: orthorhombic } = frame.domain;
    const trimmed = isTrimmed(frame);
    const key = `${orthorhombic}${trimmed}${packed}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#gpu.kernel(searchKernel({ orthorhombic, trimmed, packed }));
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

/** Whether cells are rectangular, and all particles inside theirs, as in boxes that are periodic along all axes. */
const isTrimmed = ({ domain }: PositionFrame): boolean =>
  domain.isOrthorhombic && !domain.periodic.includes(false);

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
