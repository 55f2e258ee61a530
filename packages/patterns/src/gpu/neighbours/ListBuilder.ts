import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import {
  cellVectorWgsl,
  cellWgsl,
  frameParams,
  frameValues,
  imageWgsl,
} from '../wgsl/frameWgsl.js';
import { type DeviceLists, ROW_BITS } from './DeviceLists.js';

const LANES = 128;

/** Fills the lists of a sorted grid; one thread a particle. */
export class ListBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<boolean, GpuKernel>();
  readonly #most: GPUBuffer;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
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
    const { count, capacity, stride, radius } = lists;
    const counts = lists.counts.reserve(4 * count);
    const entries = lists.entries.reserve(4 * stride * Math.max(1, capacity));
    stream.dispatchThreads(
      this.#kernel(frame.domain.isOrthorhombic),
      [position.buffer, lists.start.buffer, counts, entries, most],
      {
        ...frameValues(frame),
        periodic: [...frame.domain.periodic.map(Number), 0],
        radius2: radius * radius,
        count,
        capacity,
        stride,
        at,
      },
      count,
    );
  }

  #kernel(orthorhombic: boolean): GpuKernel {
    let kernel = this.#kernels.get(orthorhombic);
    if (!kernel) {
      kernel = this.#gpu.kernel(buildKernel(orthorhombic));
      this.#kernels.set(orthorhombic, kernel);
    }
    return kernel;
  }
}

/** Whether the frame's cells are high enough for a stencil of ±1. */
export function stencilReaches(frame: PositionFrame, radius: number): boolean {
  return [0, 1, 2].every((k) => {
    const axis = k as 0 | 1 | 2;
    const height = (frame.domain.heights[axis] * frame.length[axis]) / frame.dims[axis];
    return height >= radius || (frame.dims[axis] === 1 && !frame.domain.periodic[axis]);
  });
}

/*
 * Rows of cells along x are contiguous runs of particles. For each of the 3 × 3 rows around the particle's cell there are
 * up to three runs: the cells x−1 … x+1 that lie inside, and one cell across either periodic face. With one or two cells
 * along an axis the same cell comes up with several images; each is a pair of its own, told apart by its image.
 *
 *   neighbour at cell c + o, wrapped by k boxes  ⇒  image −k is added to the central particle, d = x_i − x_j − o·edges
 */
const buildKernel = (orthorhombic: boolean): KernelSource => ({
  label: 'neighbours: build lists',
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'entries', type: 'array<u32>', access: 'read_write' },
    { name: 'most', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: {
    ...frameParams,
    periodic: 'vec4i',
    radius2: 'f32',
    count: 'u32',
    capacity: 'u32',
    stride: 'u32',
    at: 'u32',
  },
  declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}
var<workgroup> longest: atomic<u32>;`,
  body: `
  var found = 0u;
  if (index < P.count) {
    let row = position[index];
    let xi = relative(row);
    let cell = unpackCell(row.w);
    let dims = P.dims.xyz;
    for (var oz = -1; oz <= 1; oz++) {
      var z = cell.z + oz;
      var kz = 0;
      if (z < 0) { z += dims.z; kz = 1; } else if (z >= dims.z) { z -= dims.z; kz = -1; }
      if (kz != 0 && P.periodic.z == 0) { continue; }
      for (var oy = -1; oy <= 1; oy++) {
        var y = cell.y + oy;
        var ky = 0;
        if (y < 0) { y += dims.y; ky = 1; } else if (y >= dims.y) { y -= dims.y; ky = -1; }
        if (ky != 0 && P.periodic.y == 0) { continue; }
        for (var kx = -1; kx <= 1; kx++) {
          var low = max(cell.x - 1, 0);
          var high = min(cell.x + 1, dims.x - 1);
          if (kx == 1) {
            if (cell.x > 0 || P.periodic.x == 0) { continue; }
            low = dims.x - 1;
            high = low;
          } else if (kx == -1) {
            if (cell.x < dims.x - 1 || P.periodic.x == 0) { continue; }
            low = 0;
            high = 0;
          }
          let image = imageIndex(vec3i(kx, ky, kz));
          let ci = cell + vec3i(kx, ky, kz) * dims;
          let line = (z * dims.y + y) * dims.x;
          let end = start[u32(line + high) + 1u];
          for (var j = start[u32(line + low)]; j < end; j++) {
            let other = position[j];
            let d = xi - relative(other) + cellVector(ci - unpackCell(other.w));
            if (dot(d, d) < P.radius2 && j != index) {
              if (found < P.capacity) {
                entries[found * P.stride + index] = j | (image << ${ROW_BITS}u);
              }
              found++;
            }
          }
        }
      }
    }
    let stored = min(found, P.capacity);
    counts[index] = stored;
    for (var k = stored; k < min((stored + 3u) & ~3u, P.capacity); k++) {
      entries[k * P.stride + index] = P.count | (13u << ${ROW_BITS}u);
    }
  }
  atomicMax(&longest, found);
  workgroupBarrier();
  if (lane == 0u) {
    let here = atomicLoad(&longest);
    if (here > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], here); }
  }`,
});
