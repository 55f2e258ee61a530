import type { GpuDevice } from './GpuDevice.js';

/** Bytes of a page. */
export const PAGE = 64 * 1024;

/** What gets the data when it has been read. */
export interface Receiver {
  resolve(data: ArrayBuffer): void;
  reject(error: unknown): void;
}

/** Part of a buffer on its way to the host. */
export interface Read {
  readonly at: number;
  readonly bytes: number;
  /** Memory that a large copy may use, if it has the size. */
  readonly memory?: ArrayBuffer | undefined;
  /** What was being done, for errors. */
  readonly operation: string;
  readonly receiver: Receiver;
}

/** Where a kernel writes a result. */
export interface ResultPlace {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  /** Submits what the result waits for, and watches the device closely: the result is awaited. */
  flush(): void;
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

  /** Makes room for a result, which begins at a multiple of 16 bytes. @returns where. */
  add(bytes: number, receiver: Receiver): number {
    const at = this.used;
    this.used += Math.ceil(bytes / 16) * 16;
    this.#reads.push({ at, bytes, operation: this.#gpu.during, receiver });
    return at;
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
