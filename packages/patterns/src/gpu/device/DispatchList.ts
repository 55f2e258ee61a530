import type { ResidentSteps } from '../resident/ResidentSteps.js';
import { type Series, twinOf } from '../resident/ResidentTwin.js';
import type { BindGroups } from './BindGroups.js';
import type { BoundGroup, GpuKernel, ParamRecord } from './GpuKernel.js';
import { PARAM_ALIGNMENT } from './paramSlots.js';

/**
 * Dispatches that are recorded together. Making a step touches a lot of JavaScript and little of Dawn;
 * recording it is the other way round. In turns, dispatch by dispatch, each finds the processor's caches filled by the other.
 *
 * Steps in a row of the same kernels become one dispatch where these have a resident twin, also where lists are built in place
 * between them.
 */
export class DispatchList {
  readonly #kernels: GpuKernel[] = [];
  readonly #bound: BoundGroup[] = [];
  readonly #offsets: number[] = [];
  readonly #workgroups: number[] = [];
  /** The steps that each stands for; null where it is a dispatch like others. */
  readonly #series: (Series | null)[] = [];
  readonly #dynamic = [0];
  readonly #resident: ResidentSteps;

  constructor(resident: ResidentSteps) {
    this.#resident = resident;
  }

  /** Dispatches as the device will see them. */
  get length(): number {
    return this.#kernels.length;
  }

  /** Whether a dispatch of a step would be the first of that step. */
  get beginsStep(): boolean {
    const last = this.#kernels.at(-1);
    return !last?.stage || last.twins !== null;
  }

  /** @param offset of the kernel's parameters. */
  add(kernel: GpuKernel, bound: BoundGroup, offset: number, workgroups: number): void {
    this.#kernels.push(kernel);
    this.#bound.push(bound);
    this.#offsets.push(offset);
    this.#workgroups.push(workgroups);
    this.#series.push(null);
  }

  /**
   * Makes a step part of the dispatch before it, if that may take one more: a build of lists in place perhaps, some kernels that
   * wait, and this one, which ends it.
   *
   * @param record of all parameters, which end at `end`: those of the step move up to those of the step before it.
   * @returns where they end then; −1 where the step stays as it is.
   */
  extend(
    kernel: GpuKernel,
    bound: BoundGroup,
    workgroups: number,
    { u32 }: ParamRecord,
    end: number,
  ): number {
    const last = this.#lastEnd();
    if (last < 0 || this.#kernels[last] !== kernel) return -1;
    const build = this.#kernels[last + 1]?.build ? last + 1 : -1;
    const from = build < 0 ? last + 1 : build + 1;
    const series = this.#series[last] ?? this.#seriesUpTo(last, from, workgroups);
    if (!series?.twin.isOf(this.#kernels, from, kernel)) return -1;
    if (!series.twin.hasRoom(series) || !series.twin.hasRecord(series)) return -1;
    const others = this.length - from;
    const { pairsAt } = series.twin;
    const its = pairsAt < others ? this.#workgroups[from + pairsAt] : workgroups;
    if (its !== series.twin.workgroups) return -1;
    for (let k = 0; k < others; k++)
      if (!series.twin.follows(series, k, this.#bound[from + k]!)) return -1;
    if (!series.twin.follows(series, others, bound)) return -1;
    if (build >= 0 && !this.#takesBuild(series, build)) return -1;
    const begin = others > 0 ? this.#offsets[from]! : end;
    const after = series.offset + series.own.length * series.twin.bytes;
    if (build >= 0) {
      const at = this.#offsets[build]! >> 2;
      u32.copyWithin((series.offset - PARAM_ALIGNMENT) >> 2, at, at + (PARAM_ALIGNMENT >> 2));
    }
    u32.copyWithin(after >> 2, begin >> 2, end >> 2);
    series.own.push(series.steps++);
    const at = last - (this.#series[last] ? 0 : others);
    while (this.length > at + 1) this.#pop();
    this.#kernels[at] = kernel;
    this.#series[at] = series;
    return after + end - begin;
  }

  /**
   * Takes the last step of a series once more, with the next record of a list update and else the same parameters: nothing has been
   * recorded since but the first kernels of the step after it.
   *
   * @returns false where the step is not part of a series that has room
   */
  repeat(): boolean {
    const last = this.#lastEnd();
    const series = last < 0 ? null : this.#series[last]!;
    if (!series?.twin.hasRoom(series)) return false;
    const { kernels } = series.twin;
    for (let k = last + 1; k < this.length; k++)
      if (this.#kernels[k] !== kernels[k - last - 1]) return false;
    series.steps++;
    return true;
  }

  /** The last dispatch that ends a step. */
  #lastEnd(): number {
    let at = this.length - 1;
    while (at >= 0 && !this.#kernels[at]!.twins) at--;
    return at;
  }

  /** A series of one step, which ends at `last` and has the kernels of the step that waits from `from` on; null for none. */
  #seriesUpTo(last: number, from: number, workgroups: number): Series | null {
    const others = this.length - from;
    const first = last - others;
    if (first < 0 || this.#workgroups[last] !== workgroups) return null;
    for (let k = 0; k < others; k++) {
      const at = first + k;
      const isSame = this.#kernels[at] === this.#kernels[from + k];
      const isStage = this.#kernels[at]!.stage !== null && !this.#kernels[at]!.twins;
      if (!isSame || !isStage || this.#workgroups[at] !== this.#workgroups[from + k]) return null;
    }
    const kernels = this.#kernels.slice(first, last + 1);
    const twin = twinOf(this.#resident, kernels, this.#workgroups.slice(first, last + 1));
    const bound = this.#bound.slice(first, last + 1);
    if (!twin?.agrees(bound)) return null;
    const offset = this.#offsets[first]!;
    return { twin, bound, offset, steps: 1, own: [0], build: null, builds: [] };
  }

  /** Lets a series build lists before its next step, as dispatch `at` does. @returns whether it may */
  #takesBuild(series: Series, at: number): boolean {
    const kernel = this.#kernels[at]!;
    const { twin, build } = series;
    if ((build && build !== kernel) || this.#workgroups[at] !== twin.workgroups) return false;
    if (!twin.builds(series, kernel, this.#bound[at]!)) return false;
    series.build = kernel;
    series.builds.push(series.steps);
    return true;
  }

  /**
   * Records all of them and forgets them.
   * @param groups bind groups of twins. @param most workgroups along one dimension; more are spread over x and y.
   * @param params of all dispatches.
   */
  record(pass: GPUComputePassEncoder, groups: BindGroups, most: number, params: Uint32Array): void {
    const dynamic = this.#dynamic;
    let bound: GPUComputePipeline | null = null;
    for (let k = 0; k < this.#kernels.length; k++) {
      const workgroups = this.#workgroups[k]!;
      const series = this.#series[k]!;
      if (series) {
        series.twin.record(pass, groups, series, params);
        bound = null;
        continue;
      }
      const { pipeline, group } = this.#bound[k]!;
      if (pipeline !== bound) pass.setPipeline(pipeline);
      bound = pipeline;
      dynamic[0] = this.#offsets[k]!;
      pass.setBindGroup(0, group, dynamic);
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
    this.#series.pop();
  }
}
