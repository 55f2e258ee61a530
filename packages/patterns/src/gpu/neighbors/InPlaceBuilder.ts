import type { Domain } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { DeviceLists } from './DeviceLists.js';
import {
  inPlaceBytes,
  inPlaceKernel,
  inPlaceText,
  leavesOut,
  MOST_IN_PLACE,
  OUTSIDE,
} from './inPlaceKernel.js';
import { ROUNDING } from './searchText.js';

/** Boxes are so many times as high as lists reach along periodic axes, so that one image of a particle is near at most. */
const HIGHER = 2.001;
/** An open axis has no image: its box is so large, and parts of a box so small, that none is near. Particles may be some boxes outside of it. */
const OPEN = { box: 1e15, part: 1 / 16 };
/** Rounding of coordinates, as a part of the size of the box. */
const COORDINATE = 2 ** -20;

type Values = Record<string, number | readonly number[]>;

/** Fills the lists of few particles without sorting them, see `inPlaceKernel`. */
export class InPlaceBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  #bound: {
    readonly frame: PositionFrame;
    readonly radius: number;
    readonly values: Values;
  } | null = null;
  /** Up to so many particles: with more, a sort costs less than to compare all with all. None on a software adapter. */
  upTo: number;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.upTo = gpu.info.software ? 0 : MOST_IN_PLACE;
  }

  /** How far lists of so many particles may reach to be built so in a box; 0 where they cannot. */
  farthest(count: number, domain: Domain): number {
    return count > Math.min(this.upTo, MOST_IN_PLACE) ? 0 : periodicHeight(domain) / HIGHER;
  }

  /** How often in a row it may build these lists before particles are sorted again. @param lanes threads that share a particle */
  most(lists: DeviceLists, lanes: number): number {
    const { frame, count, radius, near, format } = lists;
    if (!frame || format.imageBits > 0 || radius > this.farthest(count, frame.domain)) return 0;
    if (inPlaceBytes(lanes) > this.#gpu.limits.maxComputeWorkgroupStorageSize) return 0;
    const height = periodicHeight(frame.domain);
    // While lists are good, no particle goes farther than half of what they reach beyond the cutoff.
    return Math.max(0, Math.floor((2 * OUTSIDE * height) / (radius - near)) - 1);
  }

  /** The kernel that builds them, and its parameters. */
  prepared(lists: DeviceLists, lanes: number): { kernel: GpuKernel; values: Values } {
    const { count, capacity, stride } = lists;
    const values = { ...this.#valuesOf(lists), count, capacity, stride, slot: 0 };
    return { kernel: this.#kernel(lists, lanes), values };
  }

  /** Builds them. @param slot record of the update in `displacements` */
  record(
    lists: DeviceLists,
    lanes: number,
    position: GPUBuffer,
    displacements: GPUBuffer,
    slot: number,
  ): void {
    const values = this.#valuesOf(lists);
    const { count } = lists;
    values.count = count;
    values.capacity = lists.capacity;
    values.stride = lists.stride;
    values.slot = slot;
    const [chunk] = lists.chunks;
    const { counts, reference } = lists;
    const buffers = [
      position,
      counts.buffer,
      chunk!.entries.buffer,
      reference.buffer,
      displacements,
    ];
    const workgroups = Math.ceil((count * lanes) / LANES);
    this.#gpu.stream.dispatch(this.#kernel(lists, lanes), buffers, values, workgroups);
  }

  /** Frames change seldom, and so do the parameters made from them. */
  #valuesOf({ frame, radius }: DeviceLists): Values {
    const known = this.#bound;
    if (known?.frame === frame && known?.radius === radius) return known.values;
    const { inverse, dims, edges, domain } = frame!;
    const { periodic } = domain;
    const size = edges.reduce((sum, edge, k) => sum + Math.abs(edge) * dims[Math.floor(k / 3)]!, 0);
    const perBox = [0, 1, 2].map((k) => {
      const part = periodic[k] ? 1 / dims[k]! : OPEN.part / dims[k]!;
      return [...[0, 3, 6].map((row) => part * inverse[row + k]!), 0];
    });
    const box = periodic.map((isPeriodic, k) => (isPeriodic ? dims[k]! * edges[4 * k]! : OPEN.box));
    const values: Values = {
      ...frameValues(frame!),
      perBoxX: perBox[0]!,
      perBoxY: perBox[1]!,
      perBoxZ: perBox[2]!,
      box: [...box, 0],
      radius2: (radius * ROUNDING + COORDINATE * size) ** 2,
    };
    this.#bound = { frame: frame!, radius, values };
    return values;
  }

  #kernel({ frame, format, radius }: DeviceLists, lanes: number): GpuKernel {
    const { domain } = frame!;
    const { isOrthorhombic: orthorhombic } = domain;
    const leaves = leavesOut(frame!, radius, lanes);
    const key = `${orthorhombic}${leaves}${lanes}${format.name}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      const shape = { orthorhombic, lanes, format, leavesOut: leaves };
      kernel = this.#gpu.kernel(inPlaceKernel(shape));
      kernel.build = inPlaceText(shape);
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

/** The least height along periodic axes; infinite in a box that is open along all. */
const periodicHeight = ({ periodic, heights }: Domain): number =>
  Math.min(...heights.filter((_, k) => periodic[k]));
