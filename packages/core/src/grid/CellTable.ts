import type { SharedHeap } from '../memory/SharedHeap.js';

/**
 * Cells that tile the domain in fractional space, x fastest: cell = (z·ny + y)·nx + x.
 *
 *   start:  [ 0 | 3 | 3 | 7 | … | N ]      cell c holds rows start[c] … start[c+1]−1
 */
export class CellTable {
  /** `Grid.sortVersion` of the sort that this table describes; another number there means that it is out of date. */
  sortVersion = -1;
  #heap: SharedHeap;
  #dims: readonly [number, number, number] = [0, 0, 0];
  #address = 0;
  #capacity = 0;

  constructor(heap: SharedHeap) {
    this.#heap = heap;
  }

  get dims(): readonly [number, number, number] {
    return this.#dims;
  }
  get count(): number {
    return this.#dims[0] * this.#dims[1] * this.#dims[2];
  }
  /** Address of `start`, count + 1 numbers (u32). */
  get startAddress(): number {
    return this.#address;
  }
  get start(): Uint32Array {
    return this.#heap.u32(this.#address, this.count + 1);
  }

  /** Sets the number of cells along each lattice vector; `start` must be filled again. */
  resize(dims: readonly [number, number, number]): void {
    this.#dims = dims;
    const bytes = 4 * (this.count + 1);
    if (bytes <= this.#capacity) return;
    this.#heap.free(this.#address);
    this.#address = this.#heap.allocate(bytes);
    this.#capacity = bytes;
  }

  /** Gives the table back to the heap. */
  free(): void {
    this.#heap.free(this.#address);
    this.#address = this.#capacity = 0;
  }
}
