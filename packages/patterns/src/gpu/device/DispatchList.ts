import type { ResidentSteps } from '../resident/ResidentSteps.js';
import { type Series, twinOf } from '../resident/ResidentTwin.js';
import type { BindGroups } from './BindGroups.js';
import type { BoundGroup, GpuKernel, KernelParams, ParamRecord } from './GpuKernel.js';
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
  /** Where dispatches of the last step begin, −1 where they are not all here; and whether it has become part of a series. */
  #stepAt = -1;
  #isJoined = false;

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
    if (build >= 0 && !this.#takesBuild(series, build, u32)) return -1;
    const begin = others > 0 ? this.#offsets[from]! : end;
    const after = series.offset + series.own.length * series.twin.bytes;
    u32.copyWithin(after >> 2, begin >> 2, end >> 2);
    series.own.push(series.steps++);
    const at = last - (this.#series[last] ? 0 : others);
    while (this.length > at + 1) this.#pop();
    this.#kernels[at] = kernel;
    this.#series[at] = series;
    // A build of lists before the step has become part of the series too.
    this.#stepAt = this.length;
    this.#isJoined = true;
    return after + end - begin;
  }

  /** What is added from now on is one step, until the next begins. */
  beginStep(): void {
    this.#stepAt = this.length;
    this.#isJoined = false;
  }

  /**
   * Takes the last step of a series once more, again and again, each time with the next record of a list update and else the same
   * parameters: nothing has been recorded since but a build of lists in place, and the first kernels of the step after it.
   *
   * @param record of all parameters
   * @returns how often; 0 where the step is not part of a series that has room
   */
  repeatInSeries(most: number, { u32 }: ParamRecord): number {
    const last = this.#lastEnd();
    const series = last < 0 ? null : this.#series[last]!;
    if (!series?.twin.hasRoom(series)) return 0;
    const build = this.#kernels[last + 1]?.build ? last + 1 : -1;
    const from = build < 0 ? last + 1 : build + 1;
    const { kernels } = series.twin;
    for (let k = from; k < this.length; k++) if (this.#kernels[k] !== kernels[k - from]) return 0;
    if (build >= 0) {
      if (!this.#takesBuild(series, build, u32)) return 0;
      this.#remove(build);
    }
    let made = 0;
    for (; made < most && series.twin.hasRoom(series); made++) series.steps++;
    return made;
  }

  /** Takes back what was added after the end of the last step. @returns where its parameters began */
  takeBack(): number {
    const from = this.#lastEnd() + 1;
    const offset = this.#offsets[from]!;
    while (this.length > from) this.#pop();
    return offset;
  }

  /** Whether the last step is part of a series in which lists are built. */
  get seriesBuilds(): boolean {
    const last = this.#lastEnd();
    return last >= 0 && (this.#series[last]?.build ?? null) !== null;
  }

  /** Whether the last step may be taken once more by `repeat`. */
  get mayRepeat(): boolean {
    const at = this.#stepAt;
    if (this.#isJoined) {
      if (at < this.length) return false;
      const series = this.#series[at - 1]!;
      return series.twin.hasRoom(series) && series.twin.hasRecord(series);
    }
    if (at < 0 || at === this.length) return false;
    // What may become a series is recorded anew until it has.
    for (let k = at; k < this.length; k++)
      if (this.#kernels[k]!.twins && this.#resident.takes(this.#workgroups[k]!)) return false;
    return true;
  }

  /**
   * Takes the last step once more, with parameters of its own.
   * @param noted where it notes displacements. @param other what a kernel binds then
   * @param record of all parameters, which end at `end`: those of the step come once more
   * @returns where they end then
   */
  repeat(
    noted: KernelParams,
    other: (kernel: GpuKernel, bound: BoundGroup) => BoundGroup,
    { f32, u32 }: ParamRecord,
    end: number,
  ): number {
    const series = this.#isJoined ? this.#series.at(-1)! : null;
    const at = this.#stepAt;
    if (series) return this.#repeatOwn(series, noted, { f32, u32 });
    const begin = this.#offsets[at]!;
    u32.copyWithin(end >> 2, begin >> 2, end >> 2);
    this.#addAgain(end - begin, other);
    for (let k = this.#stepAt; k < this.length; k++)
      this.#kernels[k]!.writeNoted?.(f32, u32, this.#offsets[k]! >> 2, noted);
    return end + end - begin;
  }

  /** The last step of a series once more, as one with parameters of its own. @returns where these end */
  #repeatOwn(
    series: Series,
    noted: KernelParams,
    { f32, u32 }: Pick<ParamRecord, 'f32' | 'u32'>,
  ): number {
    const { twin, own } = series;
    let offset = series.offset + own.length * twin.bytes;
    u32.copyWithin(offset >> 2, (offset - twin.bytes) >> 2, offset >> 2);
    for (const kernel of twin.kernels) {
      kernel.writeNoted?.(f32, u32, offset >> 2, noted);
      offset += kernel.paramBytes;
    }
    own.push(series.steps++);
    return offset;
  }

  #addAgain(shift: number, other: (kernel: GpuKernel, bound: BoundGroup) => BoundGroup): void {
    const at = this.#stepAt;
    this.beginStep();
    for (let k = at; k < this.#stepAt; k++) {
      const kernel = this.#kernels[k]!;
      const bound = other(kernel, this.#bound[k]!);
      this.add(kernel, bound, this.#offsets[k]! + shift, this.#workgroups[k]!);
    }
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

  /** Lets a series build lists before its next step, as dispatch `at` does. @param u32 all parameters. @returns whether it may */
  #takesBuild(series: Series, at: number, u32: Uint32Array): boolean {
    const kernel = this.#kernels[at]!;
    const { twin, build } = series;
    if ((build && build !== kernel) || this.#workgroups[at] !== twin.workgroups) return false;
    if (!twin.builds(series, kernel, this.#bound[at]!)) return false;
    series.build = kernel;
    series.builds.push(series.steps);
    const from = this.#offsets[at]! >> 2;
    u32.copyWithin((series.offset - PARAM_ALIGNMENT) >> 2, from, from + (PARAM_ALIGNMENT >> 2));
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
    this.#stepAt = -1;
    this.#isJoined = false;
  }

  #remove(at: number): void {
    this.#kernels.splice(at, 1);
    this.#bound.splice(at, 1);
    this.#offsets.splice(at, 1);
    this.#workgroups.splice(at, 1);
    this.#series.splice(at, 1);
  }

  #pop(): void {
    this.#kernels.pop();
    this.#bound.pop();
    this.#offsets.pop();
    this.#workgroups.pop();
    this.#series.pop();
  }
}
