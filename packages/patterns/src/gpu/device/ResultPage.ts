import type { GpuDevice } from './GpuDevice.js';

/** Bytes of a page. */
export const PAGE = 64 * 1024;

/** Part of a buffer on its way to the host. */
export interface Read {
  readonly at: number;
  readonly bytes: number;
  /** What was being done, for errors. */
  readonly operation: string;
  resolve(data: ArrayBuffer): void;
  reject(error: unknown): void;
}

/** Where a kernel writes a result, and what arrives of it. */
export interface Result {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly data: Promise<ArrayBuffer>;
}

/**
 * Small results that kernels write between two submits, side by side in one buffer, so that one copy takes them all:
 *
 *   page  [ result | result | result … ]
 */
export class ResultPage {
  readonly #gpu: GpuDevice;
  #buffer: GPUBuffer | null = null;
  #reads: Read[] = [];
  /** Bytes taken. */
  used = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  hasRoom(bytes: number): boolean {
    return this.used + bytes <= PAGE;
  }

  get isEmpty(): boolean {
    return this.#reads.length === 0;
  }

  get buffer(): GPUBuffer {
    this.#buffer ??= this.#gpu.buffer('results', PAGE);
    return this.#buffer;
  }

  /** Makes room for a result, which begins at a multiple of 16 bytes. */
  add(bytes: number): Result {
    const { buffer, used: at } = this;
    this.used += Math.ceil(bytes / 16) * 16;
    const { during: operation } = this.#gpu;
    const data = new Promise<ArrayBuffer>((resolve, reject) => {
      this.#reads.push({ at, bytes, operation, resolve, reject });
    });
    return { buffer, offset: at, data };
  }

  /** Empties the page. @returns what is in it. */
  take(): readonly Read[] {
    const reads = this.#reads;
    this.#reads = [];
    this.used = 0;
    return reads;
  }

  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}
