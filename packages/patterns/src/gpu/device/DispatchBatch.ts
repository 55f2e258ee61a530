import { MOST_UNIFORM_BYTES } from '../resident/residentSource.js';
import { BindGroups } from './BindGroups.js';
import { DispatchList } from './DispatchList.js';
import type { GpuDevice } from './GpuDevice.js';
import {
  type BoundGroup,
  type GpuKernel,
  HEADER_BYTES,
  type KernelParams,
  MOST_PARAM_BYTES,
  ParamRecord,
} from './GpuKernel.js';

const UNIFORM = 0x40;
const COPY_DST = 0x08;
/** Dispatches of a batch: enough to make what a submit costs by itself cheap, few enough to keep the device busy. */
export const MOST_DISPATCHES = 512;
/** Bytes of their parameters: no kernel of a batch needs a second buffer. */
const PARAMS = MOST_DISPATCHES * (HEADER_BYTES + MOST_PARAM_BYTES);

/**
 * The dispatches of one submit, and their parameters. These live in one uniform buffer at dynamic offsets; since the queue runs in
 * order, the next batch may overwrite them.
 */
export class DispatchBatch {
  /** The parameters of all dispatches. */
  readonly record = new ParamRecord(PARAMS);
  readonly #gpu: GpuDevice;
  readonly #params: GPUBuffer;
  readonly #groups: BindGroups;
  readonly #dispatches: DispatchList;
  #count = 0;
  /** Dispatches after which is submitted. */
  #most = MOST_DISPATCHES;
  /** Bytes of the parameters recorded. */
  #paramBytes = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#dispatches = new DispatchList(gpu.resident);
    this.#params = gpu.device.createBuffer({
      label: 'parameters',
      size: PARAMS + MOST_UNIFORM_BYTES,
      usage: UNIFORM | COPY_DST,
    });
    this.#groups = new BindGroups(gpu, this.#params);
  }

  /** Dispatches so far. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** Whether dispatches wait to be put into a pass. */
  get hasWaiting(): boolean {
    return this.#dispatches.length > 0;
  }

  /** @param isTimed it has a pass of its own. @returns where its parameters are written in `record` */
  add(kernel: GpuKernel, buffers: readonly GPUBuffer[], groups: number, isTimed: boolean): number {
    const { counters, operator, resident } = this.#gpu;
    const dispatches = this.#dispatches;
    const before = dispatches.length;
    const bound = this.#groups.of(kernel, buffers);
    const mayBePart = !isTimed && resident.isOn && kernel.stage !== null;
    const end =
      mayBePart && kernel.twins
        ? dispatches.extend(kernel, bound, groups, this.record, this.#paramBytes)
        : -1;
    if (end >= 0) this.#paramBytes = end;
    else if (mayBePart && dispatches.beginsStep) this.#paramBytes += HEADER_BYTES;
    const offset = this.#paramBytes;
    this.#paramBytes += kernel.paramBytes;
    this.#count++;
    if (end < 0) dispatches.add(kernel, bound, offset, groups);
    const added = dispatches.length - before;
    kernel.usedIn = counters.submits;
    kernel.usedBy = operator;
    this.#tell(added);
    return offset;
  }

  /** What is added from now on is one step, until the next begins. */
  beginStep(): void {
    this.#dispatches.beginStep();
  }

  /**
   * Takes the last step once more, again and again, each time with the next record of a list update and else the same parameters.
   * Nothing else has been recorded since but a build of lists in place.
   * @returns how often: it may where the step is part of a series of steps
   */
  repeatInSeries(most: number): number {
    if (this.isFull) return 0; // a build that waits would become part of a series without the step after it
    const room = Math.min(most, this.#most - this.#count);
    const before = this.#dispatches.length;
    const made = this.#dispatches.repeatInSeries(room, this.record);
    this.#tell(this.#dispatches.length - before);
    // One for all kernels of a step: a dispatch takes hundreds of such steps.
    this.#count += made;
    return made;
  }

  /** Takes back dispatches of the next step, which wait for it. */
  takeBack(): void {
    const before = this.#dispatches.length;
    this.#paramBytes = this.#dispatches.takeBack() - HEADER_BYTES;
    this.#count -= before - this.#dispatches.length;
    this.#tell(this.#dispatches.length - before);
  }

  /** Whether the last step is part of a series in which lists are built. */
  get seriesBuilds(): boolean {
    return this.#dispatches.seriesBuilds;
  }

  /** Whether the last step may be taken by `repeat`, if nothing else has been recorded since. */
  get mayRepeat(): boolean {
    return !this.isFull && this.#dispatches.mayRepeat;
  }

  /**
   * Takes the last step once more.
   * @param noted where it notes displacements. @param pair two buffers that are in each other's places then; none where all stay
   */
  repeat(noted: KernelParams, pair: readonly GPUBuffer[]): void {
    const dispatches = this.#dispatches;
    const before = dispatches.length;
    const [a, b] = pair;
    const other = (kernel: GpuKernel, bound: BoundGroup): BoundGroup =>
      a && b ? this.#groups.exchanged(kernel, bound, a, b) : bound;
    this.#paramBytes = dispatches.repeat(noted, other, this.record, this.#paramBytes);
    const added = dispatches.length - before;
    this.#count += added || 1;
    this.#tell(added);
  }

  #tell(dispatches: number): void {
    const { counters, accounts, operator } = this.#gpu;
    counters.dispatches += dispatches;
    if (accounts) accounts.of(operator).dispatches += dispatches;
  }

  /** Puts the dispatches that wait into a pass. */
  encode(pass: GPUComputePassEncoder): void {
    const most = this.#gpu.limits.maxComputeWorkgroupsPerDimension;
    this.#dispatches.record(pass, this.#groups, most, this.record.u32);
  }

  /** Gives the parameters to the device. */
  upload(): void {
    if (this.#count === 0) return;
    const { queue } = this.#gpu.device;
    queue.writeBuffer(this.#params, 0, this.record.buffer, 0, this.#paramBytes);
  }

  /** Begins another batch. @param most dispatches that it may have; default as many as this one. */
  clear(most = this.#most): void {
    this.#dispatches.clear();
    this.#count = this.#paramBytes = 0;
    this.#most = Math.max(1, Math.min(MOST_DISPATCHES, most));
  }

  free(): void {
    this.#params.destroy();
  }
}
