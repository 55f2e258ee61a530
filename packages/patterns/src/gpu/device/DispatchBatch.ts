import { MOST_UNIFORM_BYTES } from '../resident/residentSource.js';
import { BindGroups } from './BindGroups.js';
import { DispatchList } from './DispatchList.js';
import type { GpuDevice } from './GpuDevice.js';
import { type GpuKernel, HEADER_BYTES, MOST_PARAM_BYTES, ParamRecord } from './GpuKernel.js';

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
    const { counters, accounts, operator, resident } = this.#gpu;
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
    counters.dispatches += added;
    if (accounts) accounts.of(operator).dispatches += added;
    return offset;
  }

  /** Takes the step recorded last once more: see `CommandStream.repeatStep`. */
  repeatStep(): boolean {
    if (this.isFull || !this.#dispatches.repeat()) return false;
    // One for all of its kernels: a dispatch takes hundreds of such steps.
    this.#count++;
    return true;
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
