import type { SharedHeap } from '../memory/SharedHeap.js';
import type { BlockSpec, StorageType } from './FieldSpec.js';

const BYTES: Record<StorageType, number> = { f64: 8, f32: 4, u32: 4, i32: 4, u64: 8 };

/** The values of a block, row after row, in the block's storage type. */
export type BlockArray = Float64Array | Float32Array | Uint32Array | Int32Array | BigUint64Array;

/**
 * One block of fields in the shared heap, with two buffers so that a sort can permute from one to the other.
 * Rows 0 … count−1 are particles; DUMMIES rows after them are dummies that lists may point to, of which devices have PADDING.
 *
 * Residency: `hostVersion` and `deviceVersion` count writes; the side with the larger number has the newest copy,
 * equal numbers mean both agree. Only engines change them, through `hostWritten` and `deviceWritten`.
 */
export class FieldBlock {
  /** Dummy rows after the last particle on a device. */
  static readonly PADDING = 16;
  /** Dummy rows after the last particle on the host: sixteen threads that write dummies write no line of memory in common. */
  static readonly DUMMIES = 128;

  readonly spec: BlockSpec;
  readonly bytesPerRow: number;
  hostVersion = 1;
  deviceVersion = 0;
  /** Calls made so far that write this block, whether they have been started or are still queued for a device. */
  writesAsked = 0;
  #heap: SharedHeap;
  #address = 0;
  #spare = 0;
  #capacity = 0;
  #complete: (() => void) | null = null;

  constructor(heap: SharedHeap, spec: BlockSpec) {
    this.#heap = heap;
    this.spec = spec;
    this.bytesPerRow = BYTES[spec.type] * spec.width;
  }

  /** Address of row 0 in the heap; what engines have put off is done first. */
  get address(): number {
    if (this.#complete) this.settle();
    return this.#address;
  }
  /** The same, and nothing is done: for engines that put work off. */
  get place(): number {
    return this.#address;
  }
  /** Address of the second buffer, allocated on first use. */
  get spareAddress(): number {
    if (this.#spare === 0) this.#spare = this.#heap.allocate(this.#capacity * this.bytesPerRow);
    return this.#spare;
  }
  /** Rows there is room for, padding included. */
  get capacity(): number {
    return this.#capacity;
  }

  /**
   * The whole block as a typed array of `capacity × width` numbers. Take it again after a pattern call: engines put work
   * off until its results are asked for, and blocks move.
   */
  get array(): BlockArray {
    const length = this.#capacity * this.spec.width;
    return this.#heap[this.spec.type](this.address, length);
  }

  /** Makes room for `count` particles plus padding; what is stored is kept. */
  reserve(count: number): void {
    this.settle();
    const rows = count + FieldBlock.DUMMIES;
    if (rows <= this.#capacity) return;
    const address = this.#heap.allocate(rows * this.bytesPerRow);
    if (this.#address !== 0) {
      const bytes = this.#capacity * this.bytesPerRow;
      new Uint8Array(this.#heap.memory.buffer, address, bytes).set(
        new Uint8Array(this.#heap.memory.buffer, this.#address, bytes),
      );
      this.#heap.free(this.#address);
    }
    this.#heap.free(this.#spare);
    this.#spare = 0;
    this.#address = address;
    this.#capacity = rows;
  }

  /** Swaps the two buffers: the permuted copy becomes the block. */
  swap(): void {
    this.settle();
    const spare = this.spareAddress;
    this.#spare = this.#address;
    this.#address = spare;
  }

  /** Gives the second buffer back until the next sort. */
  releaseSpare(): void {
    this.#heap.free(this.#spare);
    this.#spare = 0;
  }

  /** An engine has put off work on this block: `complete` does it, and is called before the block is next used. */
  defer(complete: () => void): void {
    if (this.#complete !== complete) this.settle();
    this.#complete = complete;
  }
  /** What `complete` put off is done. */
  undefer(complete: () => void): void {
    if (this.#complete === complete) this.#complete = null;
  }
  /** Does what has been put off. */
  settle(): void {
    const complete = this.#complete;
    this.#complete = null;
    complete?.();
  }

  /** The host has written: its copy is the newest. */
  hostWritten(): void {
    this.hostVersion = Math.max(this.hostVersion, this.deviceVersion) + 1;
  }
  /** The device has written: its copy is the newest. */
  deviceWritten(): void {
    this.deviceVersion = Math.max(this.hostVersion, this.deviceVersion) + 1;
  }
  /** Both copies have been made equal by a transfer. */
  synchronized(): void {
    this.hostVersion = this.deviceVersion = Math.max(this.hostVersion, this.deviceVersion);
  }

  /** Waits for calls that use the block, and gives both buffers back to the heap. */
  free(): void {
    this.settle();
    this.#heap.free(this.#address);
    this.#heap.free(this.#spare);
    this.#address = this.#spare = this.#capacity = 0;
  }
}
