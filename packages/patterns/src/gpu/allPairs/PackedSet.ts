import type { SharedArray } from '../../plan/createArray.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { TILE } from './TileWalk.js';

/** How a set is packed: the kernel, its parameters but those of the set, and bytes of a particle. */
export interface Packing {
  readonly kernel: GpuKernel;
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly bytes: number;
}

/** Particles of a set in coordinates that wrap around (`Turns`), padded to whole tiles. */
export class PackedSet {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #named: SharedArray | null;
  readonly #packed: GrowingBuffer;
  readonly #rows: GrowingBuffer;
  /** What the rows were found by: versions of the labels and of the names. */
  #labels = -1;
  #names = -1;
  /** What the particles were packed by. */
  #version = -1;
  #packing: Packing | null = null;
  #count = -1;
  #record: ParamRecord | null = null;
  #versionAt = 0;

  /** @param named rows, or labels, of its particles; null for all particles. */
  constructor(gpu: GpuDevice, residency: Residency, named: SharedArray | null) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#named = named;
    this.#packed = new GrowingBuffer(gpu, 'all pairs: packed particles');
    this.#rows = new GrowingBuffer(gpu, 'all pairs: rows of labels');
  }

  get buffer(): GPUBuffer {
    return this.#packed.buffer;
  }

  /** Rows of its particles by their labels. @param find writes them to a buffer. */
  rowsByLabel(labels: number, find: (named: SharedArray, rows: GPUBuffer) => void): GPUBuffer {
    const named = this.#named!;
    const { version } = this.#residency.ensure(named.block, named.length);
    if (this.#labels === labels && this.#names === version) return this.#rows.buffer;
    const rows = this.#rows.reserve(4 * named.length);
    find(named, rows);
    this.#labels = labels;
    this.#names = version;
    this.#version = -1;
    return rows;
  }

  /** Rows of its particles as they are given; null for all particles. */
  givenRows(): GPUBuffer | null {
    if (!this.#named) return null;
    const { buffer, version } = this.#residency.ensure(this.#named.block, this.#named.length);
    if (this.#names !== version) this.#version = -1;
    this.#names = version;
    return buffer;
  }

  /**
   * Packs the particles, unless that has been done for these positions.
   * @param version of the positions. @param count particles of the set. @param particles buffers of positions, then of rows.
   */
  pack(
    packing: Packing,
    version: number,
    count: number,
    particles: readonly GPUBuffer[],
    fault: GPUBuffer,
  ): void {
    const isSame = this.#packing === packing && this.#count === count;
    if (isSame && this.#version === version) return;
    const padded = TILE * Math.ceil(count / TILE);
    const { kernel, values, bytes } = packing;
    const packed = this.#packed.reserve(bytes * padded);
    if (!isSame || !this.#record) {
      this.#record = kernel.newRecord();
      kernel.writeParams(this.#record, 0, { ...values, count, padded, version, one: 1 });
      this.#versionAt = kernel.wordOf('version');
    }
    this.#record.u32[this.#versionAt] = version;
    const groups = Math.ceil(padded / kernel.workgroupSize);
    this.#gpu.stream.dispatchWritten(kernel, [...particles, packed, fault], this.#record, groups);
    this.#packing = packing;
    this.#count = count;
    this.#version = version;
  }

  free(): void {
    this.#packed.free();
    this.#rows.free();
    this.#version = this.#labels = -1;
  }
}
