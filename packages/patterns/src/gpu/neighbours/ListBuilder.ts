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
/** Room for rounding where cells are compared with the radius; frames leave more than that. */
const SLACK = 1 + 1e-4;

/** Fills the lists of a sorted grid; one thread a particle. */
export class ListBuilder {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #most: GPUBuffer;
  /** What one buffer may hold; longer lists are split. */
  mostBytes: number;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    const { maxBufferSize, maxStorageBufferBindingSize } = gpu.device.limits;
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
    for (const { first, end, entries } of lists.chunks) {
      stream.dispatchThreads(
        this.#kernel(frame),
        [position.buffer, lists.start.buffer, counts, entries.buffer, most],
        {
          ...frameValues(frame),
          periodic: [...frame.domain.periodic.map(Number), 0],
          reach: [...reachOf(frame, radius), 0],
          radius2: radius * radius,
          count,
          first,
          end,
          capacity,
          stride: lists.stride,
          at,
        },
        end - first,
      );
    }
  }

  #kernel({ domain }: PositionFrame): GpuKernel {
    const orthorhombic = domain.isOrthorhombic;
    const trimmed = orthorhombic && !domain.periodic.includes(false);
    const key = `${orthorhombic}${trimmed}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#gpu.kernel(buildKernel(orthorhombic, trimmed));
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

/** Cells that a list radius spans along each axis. Correct for any frame; frames are made so that it is two at most. */
export function reachOf(frame: PositionFrame, radius: number): [number, number, number] {
  const along = (axis: 0 | 1 | 2): number => {
    if (frame.dims[axis] === 1 && !frame.domain.periodic[axis]) return 0;
    const height = (frame.domain.heights[axis] * frame.length[axis]) / frame.dims[axis];
    return Math.min(frame.dims[axis], Math.ceil((radius * SLACK) / height));
  };
  return [along(0), along(1), along(2)];
}

/** Candidates read ahead by each thread. */
const UNROLL = 4;

/*
 * Rows of cells along x are contiguous runs of particles. Cells are half a radius wide, so that five by five rows around
 * the particle's cell come into question; rows that the sphere does not touch are left out, and the ends of a row that it
 * does not reach. A row that crosses a periodic face is two or three runs. With few cells along an axis the same cell
 * comes up with several images; each is a pair of its own, told apart by its image.
 *
 *   neighbour at cell c + o, wrapped by k boxes  ⇒  image −k is added to the central particle, d = x_i − x_j − o·edges
 *
 * Trimming needs rectangular cells with all particles inside theirs, as in boxes that are periodic along all axes.
 */
const buildKernel = (orthorhombic: boolean, trimmed: boolean): KernelSource => ({
  label: 'neighbours: build lists',
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'entries', type: 'array<vec4u>', access: 'read_write' },
    { name: 'most', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: {
    ...frameParams,
    periodic: 'vec4i',
    reach: 'vec4i',
    radius2: 'f32',
    count: 'u32',
    first: 'u32',
    end: 'u32',
    capacity: 'u32',
    stride: 'u32',
    at: 'u32',
  },
  declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}
var<workgroup> longest: atomic<u32>;
// Least distance along one axis between x and a cell o cells away.
fn gap(x: f32, o: i32, edge: f32) -> f32 {
  return max(abs(x - f32(o) * edge) - ${0.5 + SLACK - 1} * edge, 0.0);
}`,
  body: `
  var found = 0u;
  var images = 0u;
  let own = P.first + index;
  if (own < P.end) {
    // The last four neighbours found; written together when complete.
    var pack = vec4u(0u);
    let row = position[own];
    let xi = relative(row);
    let cell = unpackCell(row.w);
    let dims = P.dims.xyz;
    for (var oz = -P.reach.z; oz <= P.reach.z; oz++) {
      var z = cell.z + oz;
      var kz = 0;
      if (z < 0) { z += dims.z; kz = 1; } else if (z >= dims.z) { z -= dims.z; kz = -1; }
      if (z < 0 || z >= dims.z || (kz != 0 && P.periodic.z == 0)) { continue; }
      for (var oy = -P.reach.y; oy <= P.reach.y; oy++) {
        var y = cell.y + oy;
        var ky = 0;
        if (y < 0) { y += dims.y; ky = 1; } else if (y >= dims.y) { y -= dims.y; ky = -1; }
        if (y < 0 || y >= dims.y || (ky != 0 && P.periodic.y == 0)) { continue; }
        var low = cell.x - P.reach.x;
        var high = cell.x + P.reach.x;
        ${trimmed ? TRIM : ''}
        let xr = xi + cellVector(vec3i(0, -oy, -oz));
        let line = (z * dims.y + y) * dims.x;
        let lastBox = select(0, 1, high >= dims.x && P.periodic.x != 0);
        for (var box = select(0, -1, low < 0 && P.periodic.x != 0); box <= lastBox; box++) {
          let head = max(low - box * dims.x, 0);
          let tail = min(high - box * dims.x, dims.x - 1);
          if (head > tail) { continue; }
          let image = imageCode(vec3i(-box, ky, kz)) << ${ROW_BITS}u;
          // Whole numbers in the mantissa: 2^23 + n; their differences are exact and need no conversion.
          let cx = f32(cell.x - box * dims.x) + 8388608.0;
          let end = start[u32(line + tail) + 1u];
          for (var j = start[u32(line + head)]; j < end; j += ${UNROLL}u) {
            ${repeat((k) => `let q${k} = position[j + ${k}u];`)}
            ${repeat(
              (k) => `{
              let dx = cx - bitcast<f32>((q${k}.w & 1023u) | 0x4b000000u);
              ${
                orthorhombic
                  ? `let x = fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q${k}.x));
              let d = vec3f(x, xr.yz - bitcast<vec2f>(q${k}.yz));`
                  : `let d = xr - relative(q${k}) + dx * P.edgeA.xyz;`
              }
              if (dot(d, d) < P.radius2 && j + ${k}u < end && j + ${k}u != own) {
                pack = vec4u(pack.yzw, (j + ${k}u) | image);
                if ((found & 3u) == 3u && found < P.capacity) {
                  entries[(found >> 2u) * P.stride + index] = pack;
                }
                found++;
                images |= image;
              }
            }`,
            )}
          }
        }
      }
    }
    let stored = min(found, P.capacity);
    counts[own] = stored | select(0u, 0x80000000u, images != 0u);
    if ((stored & 3u) != 0u) {
      for (var k = stored & 3u; k < 4u; k++) {
        pack = vec4u(pack.yzw, P.count | 0u);
      }
      entries[(stored >> 2u) * P.stride + index] = pack;
    }
  }
  atomicMax(&longest, found);
  workgroupBarrier();
  if (lane == 0u) {
    let here = atomicLoad(&longest);
    if (here > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], here); }
  }`,
});

const repeat = (text: (k: number) => string): string =>
  Array.from({ length: UNROLL }, (_, k) => text(k)).join('\n            ');

const TRIM = `
        let gy = gap(xi.y, oy, P.edgeB.y);
        let gz = gap(xi.z, oz, P.edgeC.z);
        let rest = P.radius2 - gy * gy - gz * gz;
        if (rest <= 0.0) { continue; }
        let span = sqrt(rest) / P.edgeA.x + ${SLACK - 1};
        let middle = xi.x / P.edgeA.x + 0.5;
        low = max(low, cell.x + i32(floor(middle - span)));
        high = min(high, cell.x + i32(floor(middle + span)));`;
