import { CorpuscleError } from '@corpuscle/core';
import type { GpuDevice } from './GpuDevice.js';
import { type GpuKernel, type KernelParams, PARAM_BYTES, ParamRecord } from './GpuKernel.js';
import { KernelTimes } from './KernelTimes.js';

const UNIFORM = 0x40;
const COPY_DST = 0x08;
const MAP_READ = 0x01;
/** Dispatches recorded before a submit: enough to make its 75 µs cheap, few enough to keep the device busy. */
const BATCH = 256;
const PIECE = 64 * 2 ** 20;

/** A read-back under way. */
export interface Readback {
  readonly data: Promise<ArrayBuffer>;
  /** Submits what the data waits for. */
  hurry(): void;
}

/**
 * Commands in program order. Dispatches and copies are recorded and submitted together:
 *
 *   record … record … flush:  write the parameter records, submit the encoder
 *
 * Parameters of all dispatches of a batch live in one uniform buffer at dynamic offsets; since the queue runs in order,
 * the next batch may overwrite them.
 */
export class CommandStream {
  readonly #gpu: GpuDevice;
  readonly #params: GPUBuffer;
  readonly #paramGroup: GPUBindGroup;
  readonly #record = new ParamRecord(BATCH * PARAM_BYTES);
  /** Set while dispatches are timed; each then has a pass of its own. */
  times: KernelTimes | null = null;
  readonly #bufferIds = new WeakMap<GPUBuffer, number>();
  #nextId = 1;
  #encoder: GPUCommandEncoder | null = null;
  #pass: GPUComputePassEncoder | null = null;
  #recorded = 0;
  #waiting: (() => void) | null = null;
  #afterSubmit: (() => void)[] = [];
  #doomed: GPUBuffer[] = [];
  #staging: GPUBuffer[] = [];

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#params = gpu.device.createBuffer({
      label: 'parameters',
      size: BATCH * PARAM_BYTES,
      usage: UNIFORM | COPY_DST,
    });
    this.#paramGroup = gpu.device.createBindGroup({
      label: 'parameters',
      layout: gpu.paramLayout,
      entries: [{ binding: 0, resource: { buffer: this.#params, size: PARAM_BYTES } }],
    });
  }

  /** Times every dispatch from now on, where the device has time stamps. */
  startTimes(): void {
    if (this.times || !this.#gpu.device.features.has('timestamp-query')) return;
    this.flush();
    this.times = new KernelTimes(this.#gpu, BATCH);
  }

  #timedPass(label: string, times: KernelTimes): void {
    this.#pass?.end();
    this.#pass = this.#open().beginComputePass({ label, timestampWrites: times.next(label) });
  }

  /** Keeps back a command that may still be joined with its successors: it is recorded before any other. */
  keepBack(record: (() => void) | null): void {
    this.#waiting = record;
  }

  #recordWaiting(): void {
    const record = this.#waiting;
    this.#waiting = null;
    record?.();
  }

  /** Records `groups` workgroups of a kernel, spread over x and y where one dimension is too short. */
  dispatch(
    kernel: GpuKernel,
    buffers: readonly GPUBuffer[],
    params: KernelParams,
    groups: number,
  ): void {
    this.#gpu.check();
    if (groups <= 0) return;
    this.#recordWaiting();
    if (this.#recorded === BATCH) this.flush();
    const offset = this.#recorded * PARAM_BYTES;
    kernel.writeParams(this.#record, offset, params);
    this.#recorded++;
    if (this.times) this.#timedPass(kernel.label, this.times);
    else this.#pass ??= this.#open().beginComputePass({ label: 'patterns' });
    const pass = this.#pass!;
    const most = this.#gpu.device.limits.maxComputeWorkgroupsPerDimension;
    const y = Math.ceil(groups / most);
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, this.#bindGroup(kernel, buffers));
    pass.setBindGroup(1, this.#paramGroup, [offset]);
    pass.dispatchWorkgroups(Math.ceil(groups / y), y);
    this.#gpu.counters.dispatches++;
  }

  /** One thread for each of `threads` indices. */
  dispatchThreads(
    kernel: GpuKernel,
    buffers: readonly GPUBuffer[],
    params: KernelParams,
    threads: number,
  ): void {
    this.dispatch(kernel, buffers, params, Math.ceil(threads / kernel.workgroupSize));
  }

  copy(from: GPUBuffer, to: GPUBuffer, bytes: number, fromOffset = 0, toOffset = 0): void {
    this.#gpu.check();
    this.#outsidePass().copyBufferToBuffer(from, fromOffset, to, toOffset, bytes);
  }

  clear(buffer: GPUBuffer, offset = 0, bytes = buffer.size - offset): void {
    this.#gpu.check();
    this.#outsidePass().clearBuffer(buffer, offset, bytes);
  }

  /**
   * Writes host bytes to a buffer, after everything recorded so far. The source must not be shared memory: Dawn crashes
   * on views of a SharedArrayBuffer (Node 20), so callers convert into a copy.
   */
  upload(buffer: GPUBuffer, bytes: Uint8Array<ArrayBuffer>, offset = 0): void {
    this.#gpu.check();
    this.flush();
    for (let start = 0; start < bytes.length; start += PIECE) {
      const piece = bytes.subarray(start, Math.min(bytes.length, start + PIECE));
      this.#gpu.device.queue.writeBuffer(buffer, offset + start, piece);
    }
    this.#gpu.counters.uploads++;
    this.#gpu.counters.uploadedBytes += bytes.length;
  }

  /** Reads part of a buffer as it is after everything recorded so far. */
  read(buffer: GPUBuffer, bytes: number, offset = 0): Readback {
    this.#gpu.check();
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const staging = this.#takeStaging(size);
    this.#outsidePass().copyBufferToBuffer(buffer, offset, staging, 0, Math.ceil(bytes / 4) * 4);
    const operation = this.#gpu.operation;
    let submitted = false;
    const data = new Promise<void>((resolve) =>
      this.#afterSubmit.push(() => {
        submitted = true;
        resolve();
      }),
    ).then(() => this.#fetch(staging, bytes, operation));
    data.catch(() => {}); // whoever waits sees the error; others see it at their next call
    return {
      data,
      hurry: () => {
        if (!submitted) this.flush();
      },
    };
  }

  async #fetch(staging: GPUBuffer, bytes: number, operation: string): Promise<ArrayBuffer> {
    try {
      await staging.mapAsync(MAP_READ, 0, staging.size);
    } catch (cause) {
      await new Promise((resolve) => setTimeout(resolve, 0)); // the device's own error arrives with this one
      throw (
        this.#gpu.failure ??
        new CorpuscleError(
          this.#gpu.closed ? 'CLOSED' : 'DEVICE_LOST',
          `results of '${operation}' could not be read back: ${(cause as Error).message}`,
          { cause },
        )
      );
    }
    const result = staging.getMappedRange().slice(0, bytes);
    staging.unmap();
    this.#staging.push(staging);
    this.#gpu.counters.downloads++;
    this.#gpu.counters.downloadedBytes += bytes;
    if (this.#gpu.failure) throw this.#gpu.failure;
    return result;
  }

  /** Submits what is recorded. */
  flush(): void {
    this.#recordWaiting();
    this.#pass?.end();
    this.#pass = null;
    const { device } = this.#gpu;
    if (this.#encoder) {
      if (this.#recorded > 0)
        device.queue.writeBuffer(
          this.#params,
          0,
          this.#record.buffer,
          0,
          this.#recorded * PARAM_BYTES,
        );
      const submitted = this.times?.finish(this.#encoder);
      device.queue.submit([this.#encoder.finish()]);
      submitted?.();
      this.#encoder = null;
      this.#recorded = 0;
      this.#gpu.counters.submits++;
    }
    const ready = this.#afterSubmit;
    this.#afterSubmit = [];
    for (const callback of ready) callback();
    for (const buffer of this.#doomed) buffer.destroy();
    this.#doomed = [];
  }

  /** Waits until the device has done everything submitted; submits first. */
  async finished(): Promise<void> {
    this.#gpu.check();
    this.flush();
    await this.#gpu.device.queue.onSubmittedWorkDone();
    this.#gpu.check();
  }

  /** Destroys a buffer after the next submit (WebGPU lets submitted work finish first). */
  destroyLater(buffer: GPUBuffer): void {
    this.#doomed.push(buffer);
  }

  /** Forgets what is recorded and not submitted. */
  discard(): void {
    this.#waiting = null;
    this.#pass?.end();
    this.#pass = null;
    this.#encoder?.finish();
    this.#encoder = null;
    this.#recorded = 0;
    const waiting = this.#afterSubmit;
    this.#afterSubmit = [];
    for (const callback of waiting) callback();
  }

  free(): void {
    this.times?.free();
    for (const buffer of [...this.#doomed, ...this.#staging, this.#params]) buffer.destroy();
    this.#doomed = [];
    this.#staging = [];
  }

  #open(): GPUCommandEncoder {
    this.#encoder ??= this.#gpu.device.createCommandEncoder({ label: 'patterns' });
    return this.#encoder;
  }

  #outsidePass(): GPUCommandEncoder {
    this.#recordWaiting();
    this.#pass?.end();
    this.#pass = null;
    return this.#open();
  }

  #takeStaging(size: number): GPUBuffer {
    const found = this.#staging.findIndex(
      (buffer) => buffer.size >= size && buffer.size <= 4 * size,
    );
    if (found >= 0) return this.#staging.splice(found, 1)[0]!;
    while (this.#staging.length > 8) this.#staging.shift()!.destroy();
    return this.#gpu.device.createBuffer({ label: 'read-back', size, usage: MAP_READ | COPY_DST });
  }

  #bindGroup(kernel: GpuKernel, buffers: readonly GPUBuffer[]): GPUBindGroup {
    let key = '';
    for (const buffer of buffers) key += `${this.#idOf(buffer)},`;
    let group = kernel.bindGroups.get(key);
    if (!group) {
      if (kernel.bindGroups.size > 64) kernel.bindGroups.clear();
      group = this.#gpu.device.createBindGroup({
        label: kernel.label,
        layout: kernel.bufferLayout,
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      kernel.bindGroups.set(key, group);
    }
    return group;
  }

  #idOf(buffer: GPUBuffer): number {
    let id = this.#bufferIds.get(buffer);
    if (id === undefined) {
      id = this.#nextId++;
      this.#bufferIds.set(buffer, id);
    }
    return id;
  }
}
