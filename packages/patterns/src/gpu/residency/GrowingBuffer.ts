import type { GpuDevice } from '../device/GpuDevice.js';

/** Device scratch that grows and never shrinks; growing loses what it held. */
export class GrowingBuffer {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #most: number;
  #buffer: GPUBuffer | null = null;
  /** Its size, which costs a call into the driver's library to ask for. */
  #size = 0;

  /** @param most never take more than this beforehand. */
  constructor(gpu: GpuDevice, label: string, most = Infinity) {
    this.#most = most;
    this.#gpu = gpu;
    this.#label = label;
  }

  /** The buffer as it is. */
  get buffer(): GPUBuffer {
    if (!this.#buffer) throw new Error(`'${this.#label}' is not allocated`);
    return this.#buffer;
  }

  /** How much it holds. */
  get bytes(): number {
    return this.#size;
  }

  /** The buffer with room for `bytes`; a tenth more is taken when it has to grow. */
  reserve(bytes: number): GPUBuffer {
    if (this.#buffer && this.#size >= bytes) return this.#buffer;
    const grown = this.#buffer
      ? Math.max(bytes, Math.min(this.#most, Math.ceil(bytes * 1.1)))
      : bytes;
    this.free();
    this.#buffer = this.#gpu.buffer(this.#label, grown);
    this.#size = this.#buffer.size;
    return this.#buffer;
  }

  free(): void {
    this.#gpu.release(this.#buffer);
    this.#buffer = null;
    this.#size = 0;
  }
}
