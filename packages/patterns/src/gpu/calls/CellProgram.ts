import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { CellKernelText } from '../kernels/cellKernel.js';
import { CallSums } from '../values/CallSums.js';

/** A kernel of cell functors and reductions, compiled when it is first used. */
export class CellProgram {
  /** The kernel before it is compiled, and what it uses. */
  readonly text: CellKernelText;
  readonly #gpu: GpuDevice;
  #kernel: GpuKernel | null = null;
  #sums: CallSums | null = null;

  constructor(gpu: GpuDevice, text: CellKernelText) {
    this.#gpu = gpu;
    this.text = text;
  }

  get kernel(): GpuKernel {
    if (this.#kernel === null) {
      const { source } = this.text;
      this.#kernel = this.#gpu.kernel(source);
      this.#gpu.resident.offer(this.#kernel, source);
    }
    return this.#kernel;
  }

  /** The second level of its reductions, where they are made by themselves. */
  get sums(): CallSums {
    const { source, results } = this.text;
    this.#sums ??= new CallSums(this.#gpu, source.label, results);
    return this.#sums;
  }
}
