import type { BindGroups } from './BindGroups.js';
import type { BoundGroup, GpuKernel } from './GpuKernel.js';

/**
 * Dispatches that are recorded together. Making a step touches a lot of JavaScript and little of Dawn;
 * recording it is the other way round. In turns, dispatch by dispatch, each finds the processor's caches filled by the other.
 *
 * Where a kernel has a resident twin, dispatches of it in a row become one, also where one thread computes values in between.
 */
export class DispatchList {
  readonly #kernels: GpuKernel[] = [];
  readonly #bound: BoundGroup[] = [];
  readonly #offsets: number[] = [];
  readonly #workgroups: number[] = [];
  /** How many dispatches each stands for. */
  readonly #steps: number[] = [];
  /** What comes between two of these. */
  readonly #between: (GpuKernel | null)[] = [];
  readonly #dynamic = [0];

  /** Dispatches as the device will see them. */
  get length(): number {
    return this.#kernels.length;
  }

  /** @param offset of the kernel's parameters. */
  add(kernel: GpuKernel, bound: BoundGroup, offset: number, workgroups: number): void {
    this.#kernels.push(kernel);
    this.#bound.push(bound);
    this.#offsets.push(offset);
    this.#workgroups.push(workgroups);
    this.#steps.push(1);
    this.#between.push(null);
  }

  /** Makes a dispatch part of the one before, if that may take one more step, with what came between. @returns whether it did */
  extend(kernel: GpuKernel, bound: BoundGroup, workgroups: number): boolean {
    const last = this.#kernels[this.length - 1];
    const between = last?.between ? last : null;
    const at = this.length - (between ? 2 : 1);
    if (this.#kernels[at] !== kernel || this.#workgroups[at] !== workgroups) return false;
    const steps = this.#steps[at]!;
    if (steps > 1 && this.#between[at] !== between) return false;
    if (!kernel.resident!.follows(this.#bound[at]!, steps, bound, between)) return false;
    if (between) this.#pop();
    this.#between[at] = between;
    this.#steps[at] = steps + 1;
    return true;
  }

  /**
   * Records all of them and forgets them.
   * @param groups bind groups of twins. @param most workgroups along one dimension; more are spread over x and y.
   * @param params of all dispatches.
   */
  record(pass: GPUComputePassEncoder, groups: BindGroups, most: number, params: Uint32Array): void {
    const dynamic = this.#dynamic;
    let bound: GpuKernel | null = null;
    for (let k = 0; k < this.#kernels.length; k++) {
      const kernel = this.#kernels[k]!;
      const workgroups = this.#workgroups[k]!;
      const steps = this.#steps[k]!;
      if (steps > 1) {
        const between = this.#between[k]!;
        const at = { steps, workgroups, between, offset: this.#offsets[k]! };
        kernel.resident!.record(pass, groups, this.#bound[k]!, at, params);
        bound = null;
        continue;
      }
      if (kernel !== bound) pass.setPipeline(kernel.pipeline);
      bound = kernel;
      dynamic[0] = this.#offsets[k]!;
      pass.setBindGroup(0, this.#bound[k]!.group, dynamic);
      const y = Math.ceil(workgroups / most);
      if (y === 1) pass.dispatchWorkgroups(workgroups);
      else pass.dispatchWorkgroups(Math.ceil(workgroups / y), y);
    }
    this.clear();
  }

  clear(): void {
    // The arrays keep their room.
    while (this.length > 0) this.#pop();
  }

  #pop(): void {
    this.#kernels.pop();
    this.#bound.pop();
    this.#offsets.pop();
    this.#workgroups.pop();
    this.#steps.pop();
    this.#between.pop();
  }
}
