import type { BindGroups } from './BindGroups.js';
import type { BoundGroup, GpuKernel, ParamRecord } from './GpuKernel.js';
import { PARAM_ALIGNMENT } from './paramSlots.js';

const NO_BUILDS: number[] = [];

/**
 * Dispatches that are recorded together. Making a step touches a lot of JavaScript and little of Dawn;
 * recording it is the other way round. In turns, dispatch by dispatch, each finds the processor's caches filled by the other.
 *
 * Where a kernel has a resident twin, dispatches of it in a row become one, also where one thread computes values in between, or
 * where lists are built in place.
 */
export class DispatchList {
  readonly #kernels: GpuKernel[] = [];
  readonly #bound: BoundGroup[] = [];
  readonly #offsets: number[] = [];
  readonly #workgroups: number[] = [];
  /** How many dispatches each stands for. */
  readonly #steps: number[] = [];
  /** What comes between two of these: what computes values, and what builds lists before some of them. */
  readonly #between: (GpuKernel | null)[] = [];
  readonly #build: (GpuKernel | null)[] = [];
  readonly #builds: number[][] = [];
  /** Where the parameters of a build are that has become part of a dispatch, −1 where there is none. */
  #builtAt = -1;
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
    this.#build.push(null);
    this.#builds.push(NO_BUILDS);
  }

  /** Makes a dispatch part of the one before, if that may take one more step, with what came between. @returns whether it did */
  extend(kernel: GpuKernel, bound: BoundGroup, workgroups: number): boolean {
    let at = this.length - 1;
    let between: GpuKernel | null = null;
    let build = -1;
    for (; at >= 0 && this.#kernels[at] !== kernel; at--) {
      const other = this.#kernels[at]!;
      if (other.between && !between) between = other;
      else if (other.build && build < 0) build = at;
      else return false;
    }
    if (at < 0 || this.#workgroups[at] !== workgroups) return false;
    const steps = this.#steps[at]!;
    if (steps > 1 && this.#between[at] !== between) return false;
    const first = this.#bound[at]!;
    if (!kernel.resident!.follows(first, steps, bound, between)) return false;
    if (build >= 0 && !this.#takesBuild(at, build)) return false;
    this.#builtAt = build < 0 ? -1 : this.#offsets[build]!;
    while (this.length > at + 1) this.#pop();
    this.#between[at] = between;
    this.#steps[at] = steps + 1;
    return true;
  }

  /** Lets dispatch `at` build lists before its next step, as dispatch `build` does. @returns whether it may */
  #takesBuild(at: number, build: number): boolean {
    const kernel = this.#kernels[build]!;
    const known = this.#build[at];
    const steps = this.#steps[at]!;
    if ((known && known !== kernel) || this.#workgroups[build] !== this.#workgroups[at])
      return false;
    const twin = this.#kernels[at]!.resident!;
    if (!twin.builds(this.#bound[at]!, steps, kernel, this.#bound[build]!)) return false;
    if (!known) this.#builds[at] = [];
    this.#build[at] = kernel;
    this.#builds[at]!.push(steps);
    return true;
  }

  /**
   * Moves the parameters of the build that `extend` has taken in to the header of its dispatch, where all steps find them.
   * @param end of all parameters so far. @returns how many bytes have become free before it
   */
  takeBuild({ u32 }: ParamRecord, end: number): number {
    const from = this.#builtAt;
    if (from < 0) return 0;
    const first = this.#offsets[this.length - 1]!;
    const [begin, after] = [from >> 2, (from + PARAM_ALIGNMENT) >> 2];
    u32.copyWithin((first - PARAM_ALIGNMENT) >> 2, begin, after);
    u32.copyWithin(begin, after, end >> 2);
    return PARAM_ALIGNMENT;
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
        const [build, builds] = [this.#build[k]!, this.#builds[k]!];
        const at = { steps, workgroups, between, build, builds, offset: this.#offsets[k]! };
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
    this.#build.pop();
    this.#builds.pop();
  }
}
