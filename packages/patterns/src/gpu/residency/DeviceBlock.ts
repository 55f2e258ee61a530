import { FieldBlock } from '@corpuscle/core';
import type { RowEncoding } from '../../engine/blockCopy.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import type { PositionFrame } from './PositionFrame.js';

/** How a row of a block is stored on the device: scalar type and 32-bit words a row. */
export interface DeviceType {
  /** `vec2f`: a double-single number. */
  readonly scalar: 'f32' | 'vec2f' | 'u32' | 'i32';
  readonly words: 1 | 2 | 4 | 8;
  /**
   * WGSL type of a row, e.g. `vec4f`. Positions are `vec4u`: their fourth word is no number. Four double-single numbers
   * are a mat2x4f, a column of high and one of low parts.
   */
  readonly row: string;
}

/** How rows of a block are stored where a real is `state`. */
export function deviceType(
  block: Pick<FieldBlock, 'spec'>,
  isPosition: boolean,
  state: DeviceReal = 'f32',
): DeviceType {
  if (isPosition) return { scalar: 'u32', words: 4, row: 'vec4u' };
  if (block.spec.type === 'u64') return { scalar: 'u32', words: 2, row: 'vec2u' };
  if (block.spec.type === 'f64' && state === 'f64') {
    return block.spec.width === 4
      ? { scalar: 'vec2f', words: 8, row: 'mat2x4f' }
      : { scalar: 'vec2f', words: 2, row: 'vec2f' };
  }
  const scalar = block.spec.type === 'f64' ? 'f32' : block.spec.type;
  const row = block.spec.width === 4 ? `vec4${scalar[0]}` : scalar;
  return { scalar, words: block.spec.width, row };
}

/**
 * The device copy of a field block: two buffers, so that a sort permutes from one to the other.
 * `version` is the version of the block that `buffer` holds; an upload is due when the host's is larger.
 */
export class DeviceBlock {
  readonly type: DeviceType;
  readonly label: string;
  version = 0;
  /** Particles or elements held; rows after them are padding. */
  rows = 0;
  /** The row that all rows are, as on the host: known from an upload until a kernel writes. Sorts leave it so. */
  uniform: ArrayBuffer | null = null;
  /** Only of positions. */
  frame: PositionFrame | null = null;
  /** Low parts of positions where the state is double-single; rows (x, y, z, unused). */
  low: DeviceBlock | null = null;
  readonly #gpu: GpuDevice;
  #buffer: GPUBuffer | null = null;
  #second: GPUBuffer | null = null;
  /** Rows after which the second buffer has the same padding as the first. */
  #padded = -1;

  constructor(gpu: GpuDevice, label: string, type: DeviceType) {
    this.#gpu = gpu;
    this.label = label;
    this.type = type;
  }

  get buffer(): GPUBuffer {
    if (!this.#buffer) throw new Error(`${this.label} has no device buffer`);
    return this.#buffer;
  }

  get bytesPerRow(): number {
    return 4 * this.type.words;
  }

  /** Whether there is room for so many rows. */
  holds(rows: number): boolean {
    return this.#buffer !== null && this.#buffer.size >= rows * this.bytesPerRow;
  }

  /** The second buffer, as large as the first. */
  get second(): GPUBuffer {
    this.#second ??= this.#gpu.buffer(`${this.label} (second)`, this.buffer.size);
    return this.#second;
  }

  /** How its rows lie in `parts`. */
  get encoding(): RowEncoding {
    if (this.frame) return { kind: 'cells', edges: this.frame.edges, center: this.frame.center };
    if (this.type.scalar === 'vec2f') return { kind: 'double-single' };
    return { kind: this.type.scalar === 'f32' ? 'single' : 'host' };
  }

  /** What makes up the block: itself, and its low parts if it has any. */
  get parts(): DeviceBlock[] {
    return this.low ? [this, this.low] : [this];
  }

  /** Words of a row and of its low parts. */
  get wordsTogether(): number {
    return this.parts.reduce((sum, { type }) => sum + type.words, 0);
  }

  /**
   * Makes room for `rows`; `keep` rows of what is stored are copied over, new rows are zero.
   * @returns whether its buffer is another now.
   */
  reserve(rows: number, keep: number): boolean {
    this.low?.reserve(rows, keep);
    const bytes = rows * this.bytesPerRow;
    if (this.#buffer && this.#buffer.size >= bytes) return false;
    const old = this.#buffer;
    this.#buffer = this.#gpu.buffer(this.label, bytes);
    if (old && keep > 0)
      this.#gpu.stream.copy(old, this.#buffer, Math.min(old.size, keep * this.bytesPerRow));
    this.#gpu.release(old);
    this.#gpu.release(this.#second);
    this.#second = null;
    this.#padded = -1;
    return true;
  }

  /** The second buffer takes over, after all rows have been written to it and the padding after them. */
  swap(): void {
    const second = this.second;
    this.#second = this.#buffer;
    this.#buffer = second;
    this.#padded = this.rows;
  }

  /** Makes sure that a kernel that writes all rows to the second buffer leaves it with the padding of the first. */
  padSecond(): void {
    if (this.#padded === this.rows) return;
    const from = this.rows * this.bytesPerRow;
    const bytes = FieldBlock.PADDING * this.bytesPerRow;
    this.#gpu.stream.copy(this.buffer, this.second, bytes, from, from);
    this.#padded = this.rows;
  }

  free(): void {
    this.low?.free();
    this.#gpu.release(this.#buffer);
    this.#gpu.release(this.#second);
    this.#buffer = this.#second = null;
  }
}
