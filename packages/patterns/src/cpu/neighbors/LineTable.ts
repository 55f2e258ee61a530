import type { NeighborListKind, SharedHeap } from '@corpuscle/core';
import { CellLines } from './CellLines.js';
import { HeapBuffer } from './HeapBuffer.js';
import { type LinesMet, linesMet } from './rowsNamed.js';
import type { StencilRow } from './stencil.js';

/** The order of lines of cells in the heap, i32, as kernels read it: the place of each line, the line at each place, the slab of each z. */
export class LineTable {
  #lines: CellLines | null = null;
  #stencil: readonly StencilRow[] = [];
  readonly #met = new Map<NeighborListKind, LinesMet>();
  readonly #heap: SharedHeap;
  readonly #buffer: HeapBuffer;

  constructor(heap: SharedHeap) {
    this.#heap = heap;
    this.#buffer = new HeapBuffer(heap);
  }

  /** Makes the order for so many cells and slabs. */
  order(dims: readonly [number, number, number], slabs: number): CellLines {
    if (this.#lines?.isFor(dims, slabs)) return this.#lines;
    const lines = new CellLines(dims, slabs);
    const { place, line, slab } = lines;
    const count = place.length;
    const address = this.#buffer.reserve(4 * (2 * count + slab.length));
    const words = this.#heap.i32(address, 2 * count + slab.length);
    words.set(place);
    words.set(line, count);
    words.set(slab, 2 * count);
    this.#lines = lines;
    this.#met.clear();
    return lines;
  }

  /** The order in force. */
  get lines(): CellLines {
    return this.#lines!;
  }

  /** Where the parts of the table are. */
  get addresses(): { readonly place: number; readonly line: number; readonly slab: number } {
    const place = this.#buffer.address;
    const bytes = 4 * this.lines.place.length;
    return { place, line: place + bytes, slab: place + 2 * bytes };
  }

  /** Which lines a search of a kind meets. */
  met(stencil: readonly StencilRow[], kind: NeighborListKind): LinesMet {
    if (this.#stencil !== stencil) this.#met.clear();
    this.#stencil = stencil;
    let met = this.#met.get(kind);
    if (!met) {
      met = linesMet(this.lines, stencil, kind);
      this.#met.set(kind, met);
    }
    return met;
  }

  free(): void {
    this.#buffer.free();
    this.#lines = null;
    this.#met.clear();
  }
}
