import type { GpuKernel } from './GpuKernel.js';

/**
 * Dispatches that are recorded together. Making a step touches a lot of JavaScript and little of Dawn;
 * recording it is the other way round. In turns, dispatch by dispatch, each finds the processor's caches filled by the other.
 */
export class DispatchList {
  readonly #kernels: GpuKernel[] = [];
  readonly #groups: GPUBindGroup[] = [];
  readonly #offsets: number[] = [];
  readonly #workgroups: number[] = [];
  readonly #dynamic = [0];

  get isEmpty(): boolean {
    return this.#kernels.length === 0;
  }

  /** @param offset of the kernel's parameters. */
  add(kernel: GpuKernel, group: GPUBindGroup, offset: number, workgroups: number): void {
    this.#kernels.push(kernel);
    this.#groups.push(group);
    this.#offsets.push(offset);
    this.#workgroups.push(workgroups);
  }

  /**
   * Records all of them and forgets them.
   * @param most workgroups along one dimension; more are spread over x and y.
   */
  record(pass: GPUComputePassEncoder, most: number): void {
    const dynamic = this.#dynamic;
    let bound: GpuKernel | null = null;
    for (let k = 0; k < this.#kernels.length; k++) {
      const kernel = this.#kernels[k]!;
      if (kernel !== bound) pass.setPipeline(kernel.pipeline);
      bound = kernel;
      dynamic[0] = this.#offsets[k]!;
      pass.setBindGroup(0, this.#groups[k]!, dynamic);
      const workgroups = this.#workgroups[k]!;
      const y = Math.ceil(workgroups / most);
      if (y === 1) pass.dispatchWorkgroups(workgroups);
      else pass.dispatchWorkgroups(Math.ceil(workgroups / y), y);
    }
    this.clear();
  }

  clear(): void {
    // The arrays keep their room.
    while (this.#kernels.length > 0) {
      this.#kernels.pop();
      this.#groups.pop();
      this.#offsets.pop();
      this.#workgroups.pop();
    }
  }
}
