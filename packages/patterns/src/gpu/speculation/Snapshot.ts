import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';

/** The copy of the context's values, beside those of blocks. */
const VALUES = 'values of the context';

/** Memory that was copied, perhaps in another buffer by now. */
interface Copied {
  readonly from: { readonly buffer: GPUBuffer };
  readonly copy: GrowingBuffer;
  readonly bytes: number;
}

/** A copy of all blocks of a grid and of the context's values, on the device. */
export class Snapshot {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #copies = new Map<string, GrowingBuffer>();
  readonly #copied: Copied[] = [];
  /** The blocks that the grid had, and their device copies. */
  readonly #blocks: FieldBlock[] = [];
  readonly #records: DeviceBlock[] = [];
  readonly #uniform: DeviceBlock['uniform'][] = [];
  #frame: PositionFrame | null = null;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  take(grid: Grid): void {
    const { values } = this.#gpu;
    const position = this.#residency.ensurePositions(grid);
    this.#frame = position.frame;
    this.#copied.length = this.#blocks.length = this.#records.length = this.#uniform.length = 0;
    for (const block of grid.blocks.values()) {
      const isPosition = block.spec.name === 'position';
      const record = isPosition ? position : this.#residency.ensure(block, grid.count);
      this.#blocks.push(block);
      this.#records.push(record);
      this.#uniform.push(record.uniform);
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
    let bytes = 0;
    for (const copy of this.#copies.values()) bytes += copy.bytes;
    return bytes;
  }

  /** Whether the host has written to the grid since, or added a block. */
  isStale(grid: Grid): boolean {
    const blocks = this.#blocks;
    if (grid.blocks.size !== blocks.length) return true;
    for (let k = 0; k < blocks.length; k++)
      if (blocks[k]!.hostVersion > this.#records[k]!.version) return true;
    return false;
  }

  /** Puts everything back as it was. */
  restore(): void {
    for (const { from, copy, bytes } of this.#copied)
      this.#gpu.stream.copy(copy.buffer, from.buffer, bytes);
    for (const [k, block] of this.#blocks.entries()) {
      if (block.spec.name === 'position') this.#records[k]!.frame = this.#frame;
      this.#residency.moved(block);
      this.#records[k]!.uniform = this.#uniform[k]!;
    }
  }

  free(): void {
    for (const copy of this.#copies.values()) copy.free();
    this.#copies.clear();
  }
}
