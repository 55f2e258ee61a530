import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';

/** The copy of the context's values, beside those of blocks. */
const VALUES = 'values of the context';

/** Memory that was copied, perhaps in another buffer by now. */
interface Copied {
  readonly from: { readonly buffer: GPUBuffer };
  readonly copy: GrowingBuffer;
  readonly bytes: number;
}

/** A block that the grid had, its device copy, and what was known of that. */
interface CopiedBlock extends Pick<DeviceBlock, 'uniform' | 'frame'> {
  readonly block: FieldBlock;
  readonly record: DeviceBlock;
}

/** A copy of all blocks of a grid and of the context's values, on the device. */
export class Snapshot {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #copies = new Map<string, GrowingBuffer>();
  readonly #copied: Copied[] = [];
  readonly #blocks: CopiedBlock[] = [];

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  take(grid: Grid): void {
    const { values } = this.#gpu;
    const position = this.#residency.ensurePositions(grid);
    this.#copied.length = this.#blocks.length = 0;
    for (const block of grid.blocks.values()) {
      const isPosition = block.spec.name === 'position';
      const record = isPosition ? position : this.#residency.ensure(block, grid.count);
      this.#blocks.push({ block, record, uniform: record.uniform, frame: record.frame });
      const rows = grid.count + FieldBlock.PADDING;
      for (const part of record.parts) this.#copy(part.label, part, rows * part.bytesPerRow);
    }
    // Values of the context belong to the state.
    if (values.isUsed) this.#copy(VALUES, values, values.bytes);
  }

  #copy(name: string, from: Copied['from'], bytes: number): void {
    const copy = this.#copies.get(name) ?? new GrowingBuffer(this.#gpu, `${name} (snapshot)`);
    this.#copies.set(name, copy);
    const whole = Math.ceil(bytes / 16) * 16; // as device buffers are
    this.#gpu.stream.copy(from.buffer, copy.reserve(whole), whole);
    this.#copied.push({ from, copy, bytes: whole });
  }

  /** The copy of all values. */
  get values(): GPUBuffer {
    return this.#copies.get(VALUES)!.buffer;
  }

  /** Memory it takes. */
  get bytes(): number {
    return [...this.#copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
  }

  /** Whether the host has written to the grid since, or added a block. */
  isStale(grid: Grid): boolean {
    if (grid.blocks.size !== this.#blocks.length) return true;
    return this.#blocks.some(({ block, record }) => block.hostVersion > record.version);
  }

  /** Puts everything back as it was. */
  restore(): void {
    for (const { from, copy, bytes } of this.#copied)
      this.#gpu.stream.copy(copy.buffer, from.buffer, bytes);
    for (const { block, record, uniform, frame } of this.#blocks) {
      Object.assign(record, { uniform, frame });
      this.#residency.moved(block);
    }
  }

  free(): void {
    for (const copy of this.#copies.values()) copy.free();
    this.#copies.clear();
  }
}
