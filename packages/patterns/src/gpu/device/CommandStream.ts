import { CorpuscleError } from '@corpuscle/core';
import { Arrivals } from './Arrivals.js';
import { DispatchBatch, MOST_DISPATCHES } from './DispatchBatch.js';
import { DispatchCapture } from './DispatchCapture.js';
import type { GpuDevice } from './GpuDevice.js';
import type { GpuKernel, KernelParams, ParamRecord } from './GpuKernel.js';
import { KernelTimes } from './KernelTimes.js';
import { type Readback, Readbacks } from './Readbacks.js';
import type { Receiver, ResultPlace } from './ResultPage.js';
import { writeBytes } from './writeBytes.js';

/** Milliseconds that a batch is thought to take at most: progress is seen so often, and signals are heard. */
const LONGEST_BATCH = 500;
/** Read-backs under way beyond which the host waits for the device. */
const MOST_UNDER_WAY = 12;

/**
 * Commands in program order. Dispatches and copies are recorded and submitted together:
 *
 *   dispatch … dispatch … flush:  record them, write their parameters, submit
 */
export class CommandStream {
  readonly #gpu: GpuDevice;
  readonly #readbacks: Readbacks;
  readonly arrivals: Arrivals;
  /** Dispatches that are not submitted yet. */
  readonly batch: DispatchBatch;
  readonly capture = new DispatchCapture();
  /** Set while dispatches are timed; each then has a pass of its own. */
  times: KernelTimes | null = null;
  #encoder: GPUCommandEncoder | null = null;
  #pass: GPUComputePassEncoder | null = null;
  #waiting: (() => void) | null = null;
  #doomed: GPUBuffer[] = [];
  #others = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.batch = new DispatchBatch(gpu);
    this.arrivals = new Arrivals(gpu);
    this.#readbacks = new Readbacks(gpu, this.arrivals);
  }

  /** Times every dispatch from now on, where the device has time stamps. @param told of each of them. */
  startTimes(told: KernelTimes['told'] = null): void {
    if (!this.#gpu.device.features.has('timestamp-query')) return;
    if (!this.times) {
      this.flush();
      this.times = new KernelTimes(this.#gpu, MOST_DISPATCHES);
    }
    this.times.told ??= told;
  }

  #timedPass(label: string, times: KernelTimes): void {
    this.#endPass();
    const { accounts, operator } = this.#gpu;
    const timestampWrites = times.next({ label, operator, account: accounts?.of(operator) });
    this.#pass = this.#open().beginComputePass({ label, timestampWrites });
  }

  /** Commands so far: dispatches, copies, transfers. */
  get commands(): number {
    return this.#gpu.counters.dispatches + this.#others;
  }

  /** Keeps back a command that may still be joined with its successors: it is recorded before any other. */
  defer(record: (() => void) | null): void {
    this.#waiting = record;
  }

  /** Records what is kept back. */
  recordDeferred(): void {
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
    if (groups <= 0) return;
    if (this.capture.takes(kernel))
      kernel.writeParams(this.capture.add(kernel, buffers, groups), 0, params);
    else {
      this.#makeRoom();
      kernel.writeParams(this.batch.record, this.#add(kernel, buffers, groups), params);
    }
  }

  /** The same with parameters that have been written elsewhere: most calls have nearly those of the call before. */
  dispatchWritten(
    kernel: GpuKernel,
    buffers: readonly GPUBuffer[],
    params: ParamRecord,
    groups: number,
  ): void {
    if (groups <= 0) return;
    if (this.capture.takes(kernel)) this.capture.add(kernel, buffers, groups).take(params, 0);
    else {
      this.#makeRoom();
      this.batch.record.take(params, this.#add(kernel, buffers, groups));
    }
  }

  #makeRoom(): void {
    this.#gpu.check();
    this.recordDeferred();
    if (this.batch.isFull) this.flush();
  }

  /** @returns where its parameters are written */
  #add(kernel: GpuKernel, buffers: readonly GPUBuffer[], groups: number): number {
    if (this.times) this.#timedPass(kernel.label, this.times);
    return this.batch.add(kernel, buffers, groups, this.times !== null);
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
    this.capture.giveBack();
    this.flush();
    this.#others++;
    writeBytes(this.#gpu.device, buffer, bytes, offset);
    this.#gpu.counters.uploads++;
    this.#gpu.counters.uploadedBytes += bytes.length;
    if (this.#gpu.accounts) this.#gpu.accounts.of(this.#gpu.operator).uploadedBytes += bytes.length;
  }

  /**
   * Reads part of a buffer as it is after everything recorded so far. It arrives some time after the next submit.
   * @param memory that a large copy may use, if it has the size
   */
  read(buffer: GPUBuffer, bytes: number, offset = 0, memory?: ArrayBuffer): Readback {
    this.#gpu.check();
    const encoder = this.#outsidePass();
    return this.#readback(this.#readbacks.add(encoder, buffer, bytes, offset, memory));
  }

  /** Room for a small result that the next dispatch writes, and which arrives likewise; it begins at a multiple of 16 bytes. */
  result(bytes: number, receiver: Receiver): ResultPlace {
    this.capture.giveBack();
    this.#makeRoom();
    if (!this.#readbacks.hasRoom(bytes)) this.flush();
    const offset = this.#readbacks.result(bytes, receiver);
    const { submits } = this.#gpu.counters;
    const flush = () => this.#flushAndWatch(submits);
    return { buffer: this.#readbacks.resultBuffer, offset, flush };
  }

  /** Submits, and somebody waits for that by a buffer of theirs. */
  flushWatched(): void {
    this.#readbacks.watchedElsewhere();
    this.flush();
  }

  /** Submits data that was asked for when there had been so many submits. */
  #submit(submits: number): void {
    if (this.#gpu.counters.submits === submits) this.flush();
  }

  #flushAndWatch(submits: number): void {
    this.#submit(submits);
    this.arrivals.watchClosely();
  }

  #readback(data: Promise<ArrayBuffer>): Readback {
    data.catch(() => {}); // those who wait see the error; others see it at their next call
    const { submits } = this.#gpu.counters;
    return { data, submit: () => this.#submit(submits), flush: () => this.#flushAndWatch(submits) };
  }

  /** Whether the device is so far behind that recording more should wait. */
  get isFarAhead(): boolean {
    return this.#readbacks.underWay > MOST_UNDER_WAY;
  }
  /** Resolves when the device has caught up a little. */
  caughtUp(): Promise<void> {
    return this.#readbacks.oneArrived();
  }

  /** Submits what is recorded. */
  flush(): void {
    this.capture.giveBackHeld();
    this.recordDeferred();
    this.#endPass();
    if (this.#encoder) {
      const { count } = this.batch;
      this.batch.upload();
      const submitted = this.times?.finish(this.#encoder);
      const isLong = this.arrivals.timeOf(count) >= LONGEST_BATCH;
      this.#readbacks.beforeSubmit(this.#encoder, { isLong });
      this.#gpu.device.queue.submit([this.#encoder.finish()]);
      this.arrivals.submitted(count);
      this.#encoder = null;
      this.batch.clear(this.arrivals.dispatchesIn(LONGEST_BATCH));
      this.#gpu.counters.submits++;
      submitted?.();
      this.#readbacks.submitted();
    }
    for (const buffer of this.#doomed) buffer.destroy();
    this.#doomed = [];
  }

  /** Waits until the device has done everything submitted; submits first. */
  async finished(): Promise<void> {
    this.#gpu.check();
    const done = this.#readbacks.mark(this.#outsidePass());
    this.flush();
    this.arrivals.watchClosely();
    await done;
    this.#gpu.check();
  }

  /** Destroys a buffer after the next submit (WebGPU lets submitted work finish first). */
  destroyLater(buffer: GPUBuffer): void {
    this.capture.drop(buffer);
    this.#doomed.push(buffer);
  }

  /** The device has failed: nothing may wait for what was recorded and never submitted. */
  abandon(error: unknown): void {
    this.#readbacks.discard(error);
  }

  /** Forgets what is recorded and not submitted. */
  discard(): void {
    this.#waiting = null;
    this.batch.clear();
    this.#pass?.end();
    this.#pass = null;
    this.#encoder?.finish();
    this.#encoder = null;
    const reason = 'the GPU engine was closed before the results arrived';
    this.#readbacks.discard(this.#gpu.failure ?? new CorpuscleError('CLOSED', reason));
  }

  free(): void {
    this.times?.free();
    this.#readbacks.free();
    this.batch.free();
    for (const buffer of this.#doomed) buffer.destroy();
    this.#doomed = [];
  }

  #open(): GPUCommandEncoder {
    this.#encoder ??= this.#gpu.device.createCommandEncoder({ label: 'patterns' });
    return this.#encoder;
  }

  #outsidePass(): GPUCommandEncoder {
    this.capture.giveBack();
    this.recordDeferred();
    this.#endPass();
    this.#others++;
    return this.#open();
  }

  /** Records the dispatches that wait, and ends their pass. */
  #endPass(): void {
    if (this.batch.hasWaiting) {
      this.#pass ??= this.#open().beginComputePass({ label: 'patterns' });
      this.batch.encode(this.#pass);
    }
    this.#pass?.end();
    this.#pass = null;
  }
}
