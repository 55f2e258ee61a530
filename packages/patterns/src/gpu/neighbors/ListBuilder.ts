import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Sorted } from '../sort/CellSort.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type Packing, packingValues } from './candidates.js';
import type { DeviceLists } from './DeviceLists.js';
import { InPlaceBuilder } from './InPlaceBuilder.js';
import { type SearchShape, searchKernel } from './searchKernel.js';
import { ROUNDING, SLACK } from './searchText.js';
import { SEARCHED, sharedSearchKernel } from './sharedSearchKernel.js';

/** So many particles are packed for a search: fewer fit the caches as they are. */
const MANY = 2 ** 17;
/** Up to so many particles 32 threads share each of them in a search. On a software adapter threads are no gain. */
const FEW = 2 ** 14;
type Values = Record<string, number | readonly number[]>;

/** Parameters made from a frame and the radius of lists. */
interface Bound {
  readonly frame: PositionFrame;
  readonly radius: number;
  readonly isTrimmed: boolean;
  readonly values: Values;
  /** Null where cells do not allow it. */
  readonly packing: Packing | null;
}

/** Fills the lists of a sorted grid. */
export class ListBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #most: GPUBuffer;
  #bound: Bound | null = null;
  /** What one buffer may hold; longer lists are split. */
  mostBytes: number;
  /** So many particles are packed for a search, if their cells are rectangular. */
  packFrom = MANY;
  /** Up to so many particles threads share each of them. */
  shareUpTo: number;
  /** Builds lists without sorting where there are few particles. */
  readonly inPlace: InPlaceBuilder;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.mostBytes = gpu.segmentBytes;
    this.#most = gpu.buffer('most neighbors', 16);
    this.shareUpTo = gpu.info.software ? 0 : FEW;
    this.inPlace = new InPlaceBuilder(gpu);
  }

  /** How a sort shall pack particles for the search after it; null where that reads positions as they are. */
  packing(lists: DeviceLists): Packing | null {
    return lists.count >= this.packFrom ? this.#boundTo(lists).packing : null;
  }

  /**
   * Counts every particle's neighbors and stores as many as there is room for.
   * @returns the largest number of neighbors, which may exceed the capacity: then grow and build again.
   */
  async build(lists: DeviceLists, sorted: Sorted): Promise<number> {
    const { stream } = this.#gpu;
    stream.clear(this.#most);
    this.record(lists, sorted, this.#most, 0);
    const readback = stream.read(this.#most, 4);
    readback.flush();
    return new Uint32Array(await readback.data)[0]!;
  }

  /**
   * Builds without waiting; the largest number of neighbors goes to word `at` of `most`, if it is larger.
   * @param sorted what the last sort has left.
   */
  record(lists: DeviceLists, { position, candidates }: Sorted, most: GPUBuffer, at: number): void {
    const { stream } = this.#gpu;
    const frame = lists.frame!;
    const { count, capacity, format } = lists;
    const counts = lists.counts.reserve(4 * count);
    lists.makeRoom(this.mostBytes);
    const reference = lists.reference.reserve(16 * count);
    const { values, isTrimmed: trimmed } = this.#boundTo(lists);
    const isShared = !candidates && count <= this.shareUpTo;
    const kernel = this.#kernel(
      { orthorhombic: frame.domain.isOrthorhombic, trimmed, format },
      isShared ? 'shared' : candidates ? 'packed' : 'whole',
    );
    values.count = count;
    values.capacity = capacity;
    values.columns = capacity / 4;
    values.stride = lists.stride;
    values.at = at;
    const start = lists.start.buffer;
    for (const { first, end, entries } of lists.chunks) {
      values.first = first;
      values.end = end;
      const buffers = [position.buffer, start, counts, entries.buffer, most, reference];
      if (candidates) buffers.push(candidates);
      if (isShared) stream.dispatch(kernel, buffers, values, Math.ceil((end - first) / SEARCHED));
      else stream.dispatchThreads(kernel, buffers, values, end - first);
    }
  }

  /** Frames change seldom, and so do the parameters made from them. */
  #boundTo(lists: DeviceLists): Bound {
    const { radius } = lists;
    const frame = lists.frame!;
    const trimmed = isTrimmed(lists);
    const known = this.#bound;
    if (known?.frame === frame && known.radius === radius && known.isTrimmed === trimmed)
      return known;
    const packing = trimmed ? packingValues(frame, radius) : null;
    const values: Values = {
      ...frameValues(frame),
      periodic: [...frame.domain.periodic.map(Number), 0],
      reach: [...reachOf(frame, radius), 0],
      radius2: (radius * ROUNDING) ** 2,
      ...packing,
    };
    this.#bound = { frame, radius, isTrimmed: trimmed, values, packing };
    return this.#bound;
  }

  #kernel(shape: Omit<SearchShape, 'packed'>, how: 'whole' | 'packed' | 'shared'): GpuKernel {
    const { orthorhombic, trimmed, format } = shape;
    const key = `${orthorhombic}${trimmed}${how}${format.name}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      const source =
        how === 'shared'
          ? sharedSearchKernel(shape)
          : searchKernel({ ...shape, packed: how === 'packed' });
      kernel = this.#gpu.kernel(source);
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

/** Whether cells are rectangular, and all particles inside theirs. */
const isTrimmed = ({ frame, isInside }: DeviceLists): boolean =>
  frame!.domain.isOrthorhombic && isInside;

const heightOf = ({ domain, length, dims }: PositionFrame, axis: 0 | 1 | 2): number =>
  (domain.heights[axis] * length[axis]) / dims[axis];

/** Cells that a list radius spans along each axis. Correct for any frame; see `PARTS`. */
export function reachOf(frame: PositionFrame, radius: number): [number, number, number] {
  const along = (axis: 0 | 1 | 2): number => {
    if (frame.dims[axis] === 1 && !frame.domain.periodic[axis]) return 0;
    const cells = Math.ceil((radius * SLACK) / heightOf(frame, axis));
    return frame.domain.periodic[axis] ? cells : Math.min(frame.dims[axis], cells);
  };
  return [along(0), along(1), along(2)];
}

/** The largest radius that spans no more cells along each axis than these. */
export function widestIn(frame: PositionFrame, cells: readonly [number, number, number]): number {
  const axes = [0, 1, 2] as const;
  return Math.min(...axes.map((axis) => (cells[axis] * heightOf(frame, axis)) / SLACK));
}
