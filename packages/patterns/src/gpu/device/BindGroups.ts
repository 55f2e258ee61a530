import { areSame } from './areSame.js';
import type { GpuDevice } from './GpuDevice.js';
import type { BoundGroup, GpuKernel } from './GpuKernel.js';
import { type Segments, segmentedKernel } from './segmentedKernel.js';

/** Bind groups kept for each kernel: lists of 200 million particles are in forty buffers, each of which meets positions in either of two. */
const MOST_BOUND = 256;

/** Bind groups of kernels with the buffers they see; kernels see the same ones again and again. */
export class BindGroups {
  readonly #gpu: GpuDevice;
  readonly #params: GPUBuffer;
  /** Kernels that see large buffers in segments, by how many each buffer has. */
  readonly #segmented = new WeakMap<GpuKernel, Map<string, GpuKernel>>();

  /** @param params the buffer of all parameters, bound after the others with a dynamic offset. */
  constructor(gpu: GpuDevice, params: GPUBuffer) {
    this.#gpu = gpu;
    this.#params = params;
  }

  of(kernel: GpuKernel, buffers: readonly GPUBuffer[]): BoundGroup {
    const { bound } = kernel;
    for (let k = 0; k < bound.length; k++)
      if (areSame(bound[k]!.buffers, buffers)) return bound[k]!;
    if (bound.length === MOST_BOUND) bound.shift();
    const made = { buffers: [...buffers], ...this.#make(kernel, buffers) };
    bound.push(made);
    return made;
  }

  /** The same with two buffers in each other's places: each time those, most often. */
  exchanged(kernel: GpuKernel, bound: BoundGroup, a: GPUBuffer, b: GPUBuffer): BoundGroup {
    if (bound.other?.pair.includes(a) && bound.other.pair.includes(b)) return bound.other.bound;
    const buffers = bound.buffers.map((buffer) => (buffer === a ? b : buffer === b ? a : buffer));
    bound.other = { bound: this.of(kernel, buffers), pair: [a, b] };
    return bound.other.bound;
  }

  #make(kernel: GpuKernel, given: readonly GPUBuffer[]): Pick<BoundGroup, 'group' | 'pipeline'> {
    const { device, segmentBytes, values } = this.#gpu;
    const buffers = kernel.usesValues ? [...given, values.buffer] : given;
    const segments = buffers.map((buffer) => this.#gpu.segmentsOf(buffer));
    const isWhole = segments.every((count) => count === 1);
    const { bufferLayout, pipeline, label } = isWhole ? kernel : this.#inSegments(kernel, segments);
    const parts = buffers.flatMap((buffer, k) =>
      segments[k] === 1 ? [{ buffer }] : segmentsOf(buffer, segmentBytes),
    );
    const params = { buffer: this.#params, size: kernel.paramBytes };
    const resources = [...parts, params];
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return { pipeline, group: device.createBindGroup({ label, layout: bufferLayout, entries }) };
  }

  #inSegments(kernel: GpuKernel, segments: Segments): GpuKernel {
    const known = this.#segmented.get(kernel) ?? new Map<string, GpuKernel>();
    this.#segmented.set(kernel, known);
    const key = segments.join();
    let made = known.get(key);
    if (!made) {
      const { segmentBytes } = this.#gpu;
      made = this.#gpu.compiled(segmentedKernel(kernel.source, segments, segmentBytes));
      known.set(key, made);
    }
    return made;
  }
}

/** A buffer in parts that bindings can hold. */
function segmentsOf(buffer: GPUBuffer, segmentBytes: number): GPUBufferBinding[] {
  const parts: GPUBufferBinding[] = [];
  for (let offset = 0; offset < buffer.size; offset += segmentBytes)
    parts.push({ buffer, offset, size: Math.min(segmentBytes, buffer.size - offset) });
  return parts;
}
