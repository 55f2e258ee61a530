import type { BoundGroup, GpuKernel } from './GpuKernel.js';
import { areSame } from './sameBuffers.js';

/** Bind groups kept for each kernel. */
const MOST_BOUND = 32;

/** Bind groups of kernels with the buffers they see; kernels see the same ones again and again. */
export class BindGroups {
  readonly #device: GPUDevice;
  readonly #params: GPUBuffer;
  readonly #values: () => GPUBuffer;

  /** @param params the buffer of all parameters, bound after the others with a dynamic offset. @param values of the context, for kernels that look at them. */
  constructor(device: GPUDevice, params: GPUBuffer, values: () => GPUBuffer) {
    this.#values = values;
    this.#device = device;
    this.#params = params;
  }

  of(kernel: GpuKernel, buffers: readonly GPUBuffer[]): BoundGroup {
    const { bound } = kernel;
    for (let k = 0; k < bound.length; k++)
      if (areSame(bound[k]!.buffers, buffers)) return bound[k]!;
    if (bound.length === MOST_BOUND) bound.shift();
    const made = { buffers: [...buffers], group: this.#make(kernel, buffers) };
    bound.push(made);
    return made;
  }

  #make(kernel: GpuKernel, given: readonly GPUBuffer[]): GPUBindGroup {
    const params = { buffer: this.#params, size: kernel.paramBytes };
    const buffers = kernel.usesValues ? [...given, this.#values()] : given;
    return this.#device.createBindGroup({
      label: kernel.label,
      layout: kernel.bufferLayout,
      entries: [
        ...buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
        { binding: buffers.length, resource: params },
      ],
    });
  }
}
