import type { SharedHeap } from '../memory/SharedHeap.js';

/**
 * Cells that tile the domain in fractional space, x fastest. Cells k·nx … k·nx + nx − 1 are a line along x: line k, which is
 * y + ny·z, unless `lines` has another order.
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
  #lines: Int32Array | null = null;

  constructor(heap: SharedHeap) {
    this.#heap = heap;
  }

  get dims(): readonly [number, number, number] {
    return this.#dims;
  }
  get count(): number {
    return this.#dims[0] * this.#dims[1] * this.#dims[2];
  }
  /** The line y + ny·z of each run of nx cells; null where they are in order. */
  get lines(): Int32Array | null {
    return this.#lines;
  }
  /** Address of `start`, count + 1 numbers (u32). */
  get startAddress(): number {
    return this.#address;
  }
  get start(): Uint32Array {
    return this.#heap.u32(this.#address, this.count + 1);
  }

  /** Sets the number of cells along each lattice vector, and the order of lines; `start` must be filled again. */
  resize(dims: readonly [number, number, number], lines: Int32Array | null = null): void {
    this.#dims = dims;
    this.#lines = lines;
    const bytes = 4 * (this.count + 1);
    if (bytes <= this.#capacity) return;
    this.free();
    this.#address = this.#heap.allocate(bytes);
    this.#capacity = bytes;
  }

  /** Gives the table back to the heap. */
  free(): void {
    this.#heap.free(this.#address);
    this.#address = this.#capacity = 0;
  }
}
