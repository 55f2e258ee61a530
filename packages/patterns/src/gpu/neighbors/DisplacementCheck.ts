import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { Extent, PositionFrame } from '../residency/PositionFrame.js';
import { cellVectorWgsl, cellWgsl, frameParams, frameValues } from '../wgsl/frameWgsl.js';

const LANES = 128;
const WORDS = 8;

/** What the device found out about displacements. */
export interface Displacements {
  readonly maxDisplacement: number;
  /** First row whose position is no number, or −1. */
  readonly notFinite: number;
  /** Fractional extent; meaningful along open axes only. */
  readonly extent: Extent;
}

/**
 * Largest displacement since the lists were built, the extent of the particles, and whether all positions are finite:
 * one kernel and one read-back of 32 bytes.
 */
export class DisplacementCheck {
  readonly #gpu: GpuDevice;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #result: GPUBuffer;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#result = gpu.buffer('displacements', 4 * WORDS);
  }

  /**
   * @param reference positions at the last build, in the same frame
   * @param withExtent whether the extent is wanted; else it says nothing
   * @param waits whether it is awaited now
   */
  async run(
    grid: Grid,
    position: DeviceBlock & { frame: PositionFrame },
    reference: GPUBuffer,
    withExtent: boolean,
    waits: boolean,
  ): Promise<Displacements> {
    const { stream } = this.#gpu;
    const { frame } = position;
    const orthorhombic = frame.domain.isOrthorhombic;
    const key = `${orthorhombic}${withExtent}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#gpu.kernel(displacementKernel(orthorhombic, withExtent));
      this.#kernels.set(key, kernel);
    }
    stream.clear(this.#result);
    const { inverse } = frame;
    const params = {
      ...frameValues(frame),
      inverseX: [inverse[0]!, inverse[3]!, inverse[6]!, 0],
      inverseY: [inverse[1]!, inverse[4]!, inverse[7]!, 0],
      inverseZ: [inverse[2]!, inverse[5]!, inverse[8]!, 0],
      count: grid.count,
    };
    const buffers = [position.buffer, reference, this.#result];
    stream.dispatchThreads(kernel, buffers, params, grid.count);
    const readback = stream.read(this.#result, 4 * WORDS);
    if (waits) readback.flush();
    const data = await readback.data;
    const words = new Uint32Array(data);
    const fraction = (word: number, k: 0 | 1 | 2): number =>
      frame.lower[k] + ((fromOrdered(word) + 0.5) * frame.length[k]) / frame.dims[k];
    const low = ([0, 1, 2] as const).map((k) => fraction(~words[2 + k]! >>> 0, k));
    const high = ([0, 1, 2] as const).map((k) => fraction(words[5 + k]!, k));
    return {
      maxDisplacement: Math.sqrt(new Float32Array(data)[0]!),
      notFinite: words[1] === 0 ? -1 : 0xffffffff - words[1]!,
      extent: {
        lower: [low[0]!, low[1]!, low[2]!],
        upper: [high[0]!, high[1]!, high[2]!],
      },
    };
  }
}

/** Floats as unsigned numbers of the same order, so that integer atomics find extremes. */
function fromOrdered(word: number): number {
  const bits = word >= 0x80000000 ? word - 0x80000000 : ~word >>> 0;
  return new Float32Array(Uint32Array.of(bits).buffer)[0]!;
}

const displacementKernel = (orthorhombic: boolean, withExtent: boolean): KernelSource => ({
  label: 'neighbors: displacement',
  about: `Largest displacement since the lists were built${withExtent ? ', and the extent of the particles' : ''}; one thread a particle.`,
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read' },
    { name: 'reference', type: 'array<vec4u>', access: 'read' },
    { name: 'result', type: `array<atomic<u32>, ${WORDS}>`, access: 'read_write' },
  ],
  params: {
    ...frameParams,
    inverseX: 'vec4f',
    inverseY: 'vec4f',
    inverseZ: 'vec4f',
    count: 'u32',
  },
  declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}
// 0 largest squared displacement, 1 complement of the first row that is not finite, 2-4 complement of the least
// coordinates, 5-7 the greatest: all start from 0 and only grow.
var<workgroup> own: array<atomic<u32>, ${WORDS}>;
fn ordered(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}
fn isFinite(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }`,
  body: `
  if (index < P.count) {
    let row = position[index];
    let before = reference[index];
    if (isFinite(row.x) && isFinite(row.y) && isFinite(row.z)) {
      let x = relative(row);
      let cell = unpackCell(row.w);
      let d = x - relative(before) + cellVector(cell - unpackCell(before.w));
      atomicMax(&own[0], bitcast<u32>(min(dot(d, d), 3e38)));
      ${withExtent ? EXTENT : ''}
    } else {
      atomicMax(&own[1], ~index);
    }
  }
  workgroupBarrier();
  if (lane < ${WORDS}u) { atomicMax(&result[lane], atomicLoad(&own[lane])); }`,
});

const EXTENT = `let u = vec3f(cell) + vec3f(dot(x, P.inverseX.xyz), dot(x, P.inverseY.xyz), dot(x, P.inverseZ.xyz));
      atomicMax(&own[2], ~ordered(u.x));
      atomicMax(&own[3], ~ordered(u.y));
      atomicMax(&own[4], ~ordered(u.z));
      atomicMax(&own[5], ordered(u.x));
      atomicMax(&own[6], ordered(u.y));
      atomicMax(&own[7], ordered(u.z));`;
