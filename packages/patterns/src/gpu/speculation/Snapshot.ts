import type { Grid } from '@corpuscle/core';
import { FieldBlock } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';

/** The copy of the context's values, beside those of blocks. */
const VALUES = 'values of the context';

/** A copy of all blocks of a grid and of the context's values, on the device. */
export class Snapshot {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #copies = new Map<string, GrowingBuffer>();
  #frame: PositionFrame | null = null;
  #valueBytes = 0;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  take(grid: Grid): void {
    const position = this.#residency.ensurePositions(grid);
    this.#frame = position.frame;
    for (const block of grid.blocks.values()) {
      const { name } = block.spec;
      const record = name === 'position' ? position : this.#residency.ensure(block, grid.count);
      for (const part of record.parts) {
        const bytes = roundUp((grid.count + FieldBlock.PADDING) * part.bytesPerRow);
        this.#gpu.stream.copy(part.buffer, this.#copy(part.label).reserve(bytes), bytes);
      }
    }
    this.#takeValues();
  }

  /** Values of the context belong to the state. */
  #takeValues(): void {
    const { values, stream } = this.#gpu;
    if (!values.isUsed) return;
    this.#valueBytes = values.bytes;
    const copy = this.#copy(VALUES).reserve(roundUp(values.bytes));
    stream.copy(values.buffer, copy, values.bytes);
  }

  #restoreValues(): void {
    const { values, stream } = this.#gpu;
    if (this.#valueBytes > 0)
      stream.copy(this.#copy(VALUES).buffer, values.buffer, this.#valueBytes);
  }

  /** The copy of all values. */
  get values(): GPUBuffer {
    return this.#copy(VALUES).buffer;
  }

  /** Bytes of them that there were. */
  get valueBytes(): number {
    return this.#valueBytes;
  }

  /** Memory it takes. */
  get bytes(): number {
    let bytes = 0;
    for (const copy of this.#copies.values()) bytes += copy.bytes;
    return bytes;
  }

  /** Puts everything back as it was. */
  restore(grid: Grid): void {
    for (const block of grid.blocks.values()) {
      const record = this.#residency.peek(block);
      if (!record || !this.#copies.has(record.label)) continue;
      for (const part of record.parts) {
        const bytes = roundUp((grid.count + FieldBlock.PADDING) * part.bytesPerRow);
        this.#gpu.stream.copy(this.#copy(part.label).buffer, part.buffer, bytes);
      }
      if (block.spec.name === 'position') record.frame = this.#frame;
      this.#residency.written(block);
    }
    this.#restoreValues();
  }

  #copy(name: string): GrowingBuffer {
    let copy = this.#copies.get(name);
    if (!copy) {
      copy = new GrowingBuffer(this.#gpu, `${name} (snapshot)`);
      this.#copies.set(name, copy);
    }
    return copy;
  }

  free(): void {
    for (const copy of this.#copies.values()) copy.free();
    this.#copies.clear();
  }
}

/** Device buffers have sizes that are multiples of 16. */
const roundUp = (bytes: number): number => Math.ceil(bytes / 16) * 16;
