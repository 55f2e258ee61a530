import type { SharedHeap } from '../memory/SharedHeap.js';
import type { BlockSpec, StorageType } from './FieldSpec.js';

const BYTES: Record<StorageType, number> = { f64: 8, f32: 4, u32: 4, i32: 4, u64: 8 };

/** The values of a block, row after row, in the block's storage type. */
export type BlockArray = Float64Array | Float32Array | Uint32Array | Int32Array | BigUint64Array;

/** Writes rows `first` … of a block into `rows`, whose numbers are zero: what particles are at the start as a function of their rows. */
export type RowSource = (rows: BlockArray, first: number) => void;

const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
} as const;

/** Up to so many bytes stay with the host when a device has newer ones. */
const SMALL = 2 ** 24;

/**
 * One block of fields on the host.
 * Rows 0 … count−1 are particles; DUMMIES rows after them are dummies that lists may point to, of which devices have PADDING.
 *
 *   in the heap   where the CPU computes: two buffers, so that a sort can permute from one to the other
 *   outside       where a device computes (`heap.holdsFields`): made when the host first looks, and given back when the device
 *                 writes; the block enters the heap when a kernel of the CPU asks for its address
 *   a source      rows as a function of their numbers, until rows are written
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
  /** Calls made so far that write this block, whether they have been started or are still queued for a device; and `rewritten`. */
  writesAsked = 0;
  readonly heap: SharedHeap;
  #address = 0;
  #spare = 0;
  #capacity = 0;
  #complete: (() => void) | null = null;
  #outside: BlockArray | null = null;
  #source: { readonly write: RowSource; readonly count: number } | null = null;

  constructor(heap: SharedHeap, spec: BlockSpec) {
    this.heap = heap;
    this.spec = spec;
    this.bytesPerRow = BYTES[spec.type] * spec.width;
  }

  /** Address of row 0 in the heap; what engines have put off is done first. */
  get address(): number {
    if (this.#complete) this.settle();
    return this.place;
  }
  /** The same, and nothing is done: for engines that put work off. */
  get place(): number {
    if (this.#address === 0 && this.#capacity > 0) this.#enterHeap();
    return this.#address;
  }
  /** Address of the second buffer, allocated on first use. */
  get spareAddress(): number {
    if (this.#spare === 0) this.#spare = this.heap.allocate(this.#capacity * this.bytesPerRow);
    return this.#spare;
  }
  /** Rows there is room for, padding included. */
  get capacity(): number {
    return this.#capacity;
  }
  /** Whether nothing has been written on the host: all rows are zero and take no memory. */
  get isZero(): boolean {
    return this.#address === 0 && !this.#outside && !this.#source;
  }
  /** Bytes outside of the heap that the host's copy takes at present. */
  get outsideBytes(): number {
    return this.#outside?.byteLength ?? 0;
  }

  /**
   * The whole block as a typed array of `capacity × width` numbers. Take it again after a pattern call: engines put work
   * off until its results are asked for, and blocks move.
   */
  get array(): BlockArray {
    const length = this.#capacity * this.spec.width;
    if (this.#complete) this.settle();
    if (this.#address !== 0) return this.heap[this.spec.type](this.#address, length);
    if (!this.#outside) {
      this.#outside = new ARRAYS[this.spec.type](length);
      this.#writeSource(this.#outside, 0);
      this.#source = null;
    }
    return this.#outside;
  }

  /**
   * Rows `first` … `first + count − 1` of the host's copy, to be read: a view where they are in memory; else they are made for
   * the moment, and nothing is kept.
   */
  piece(first: number, count: number): BlockArray {
    const { width, type } = this.spec;
    if (this.#complete) this.settle();
    if (this.#address !== 0 || this.#outside)
      return this.array.subarray(first * width, (first + count) * width);
    const rows = new ARRAYS[type](count * width);
    this.#writeSource(rows, first);
    return rows;
  }

  /**
   * Gives all particles new rows on the host, as a function of their row numbers. They take no memory before the host looks
   * at them or a kernel of the CPU does; a device takes them piece by piece.
   *
   * @example
   * grid.block('mass').fill((rows) => (rows as Float64Array).fill(2), grid.count);
   */
  fill(write: RowSource, count: number): void {
    this.clear();
    this.#source = { write, count };
    if (this.#address === 0) return;
    this.#writeSource(this.array, 0);
    this.#source = null;
  }

  /** Makes all rows zero on the host. */
  clear(): void {
    this.settle();
    this.#outside = this.#source = null;
    const bytes = this.#capacity * this.bytesPerRow;
    if (this.#address !== 0) new Uint8Array(this.heap.memory.buffer, this.#address, bytes).fill(0);
    this.rewritten();
  }

  /** Gives memory outside of the heap back, where there is much: a device has newer rows. Rows are zero until they are fetched. */
  dropOld(): void {
    this.#source = null;
    if (this.#outside && this.#outside.byteLength > SMALL) this.#outside = null;
  }

  /** Writes what the source has for these rows. */
  #writeSource(rows: BlockArray, first: number): void {
    if (!this.#source) return;
    const { write, count } = this.#source;
    const { width } = this.spec;
    const its = Math.min(rows.length, Math.max(0, count - first) * width);
    if (its > 0) write(rows.subarray(0, its), first);
  }

  #enterHeap(): void {
    const address = this.heap.allocate(this.#capacity * this.bytesPerRow);
    const there = this.heap[this.spec.type](address, this.#capacity * this.spec.width);
    if (this.#outside) there.set(this.#outside as never);
    else this.#writeSource(there, 0);
    this.#address = address;
    this.#outside = this.#source = null;
  }

  /** Makes room for `count` particles plus padding; what is stored is kept. */
  reserve(count: number): void {
    this.settle();
    const rows = count + FieldBlock.DUMMIES;
    if (rows <= this.#capacity) return;
    if (this.#address === 0 && !this.heap.holdsFields) {
      const old = this.#outside;
      this.#capacity = rows;
      this.#outside = null;
      if (old) this.array.set(old as never);
      return;
    }
    const old = this.place;
    const address = this.heap.allocate(rows * this.bytesPerRow);
    if (old !== 0) {
      const bytes = this.#capacity * this.bytesPerRow;
      new Uint8Array(this.heap.memory.buffer, address, bytes).set(
        new Uint8Array(this.heap.memory.buffer, old, bytes),
      );
      this.heap.free(old);
    }
    this.heap.free(this.#spare);
    this.#spare = 0;
    this.#address = address;
    this.#capacity = rows;
  }

  /** Swaps the two buffers: the permuted copy becomes the block. */
  swap(): void {
    const { address } = this;
    const spare = this.spareAddress;
    this.#spare = address;
    this.#address = spare;
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
  /** The host has written other numbers, outside of calls: who keeps something of those before must know, as after a call that writes. */
  rewritten(): void {
    this.hostWritten();
    this.writesAsked++;
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
    this.heap.free(this.#address);
    this.heap.free(this.#spare);
    this.#address = this.#spare = this.#capacity = 0;
    this.#outside = this.#source = null;
  }
}
