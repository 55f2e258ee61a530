import type { CallRunner } from '../calls/CallRunner.js';
import type { RowsOnDevice } from '../calls/JoinedCells.js';
import type { GpuKernel, KernelParams, KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { gatherRows } from './haloKernels.js';
import type { Staging } from './Staging.js';

/** Buffers of a halo by their names, and its kernels. */
export class HaloBuffers {
  readonly #runner: CallRunner;
  readonly #staging: Staging;
  readonly #buffers = new Map<string, GrowingBuffer>();
  readonly #kernels = new Map<KernelSource, GpuKernel>();

  constructor(runner: CallRunner, staging: Staging) {
    this.#runner = runner;
    this.#staging = staging;
  }

  /** The buffer of a name with room for so many bytes; growing loses what it held. */
  reserve(name: string, bytes: number): GPUBuffer {
    let buffer = this.#buffers.get(name);
    if (!buffer) {
      buffer = new GrowingBuffer(this.#runner.gpu, `halo: ${name}`);
      this.#buffers.set(name, buffer);
    }
    return buffer.reserve(Math.max(16, bytes));
  }

  named(name: string): GPUBuffer {
    return this.#buffers.get(name)!.buffer;
  }

  upload(name: string, words: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.reserve(name, words.byteLength);
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    if (words.length > 0) this.#staging.upload(buffer, bytes);
    return buffer;
  }

  dispatch(
    source: KernelSource,
    buffers: readonly GPUBuffer[],
    params: KernelParams,
    threads: number,
  ): void {
    if (threads === 0) return;
    this.#runner.gpu.stream.dispatchThreads(this.kernel(source), buffers, params, threads);
  }

  /** Compiled when it is first asked for: looking for a kernel by its text takes as long as some steps. */
  kernel(source: KernelSource): GpuKernel {
    let kernel = this.#kernels.get(source);
    if (!kernel) {
      kernel = this.#runner.gpu.kernel(source);
      this.#kernels.set(source, kernel);
    }
    return kernel;
  }

  /** A kernel that moves rows, one thread a word. */
  move(source: KernelSource, buffers: readonly GPUBuffer[], count: number, words: number): void {
    this.dispatch(source, buffers, { count, words }, count * words);
  }

  /** Packs rows of a block, low parts after high ones in each. @param first rows before them in `packed` */
  gather(
    { parts, wordsTogether: stride }: DeviceBlock,
    { buffer: rows, length: count }: RowsOnDevice,
    packed: GPUBuffer,
    first = 0,
  ): void {
    let at = stride * first;
    for (const { buffer, type } of parts) {
      const { words } = type;
      const params = { count, words, stride, at };
      this.dispatch(gatherRows, [buffer, rows, packed], params, count * words);
      at += words;
    }
  }

  free(): void {
    for (const buffer of this.#buffers.values()) buffer.free();
    this.#buffers.clear();
  }
}
