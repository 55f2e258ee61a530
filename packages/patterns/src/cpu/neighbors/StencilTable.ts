import type { Domain, SharedHeap } from '@corpuscle/core';
import type { CellGeometry } from './cellGeometry.js';
import { compressSwizzles } from './compressSwizzles.js';
import { type StencilRow, stencilImages, stencilRows } from './stencil.js';

/**
 * The stencil in the heap, as the search kernel reads it:
 *
 *   rows    i32 × 4  {y, z, x0, x1}                      ordered by z, then y; row `center` is y = z = 0
 *   images  8 × 4 B  {index, cx, cy, cz | sx, sy, sz, 0}  i32 cell offsets, f32 shifts; a fastest
 *   compress 16 × 16 B: swizzles that move the lanes of a 4-bit mask to the front
 */
export class StencilTable {
  readonly rows: number;
  /** The same rows. */
  readonly list: readonly StencilRow[];
  readonly rowCount: number;
  readonly center: number;
  readonly images: number;
  readonly imageCount: number;
  /** The first images of the table, which half lists search. */
  readonly halfImageCount: number;
  readonly compress: number;
  /** Largest cell offset per axis. */
  readonly reach: readonly [number, number, number];
  readonly key: string;
  #heap: SharedHeap;

  constructor(heap: SharedHeap, domain: Domain, geometry: CellGeometry, radius: number) {
    this.#heap = heap;
    this.key = stencilKey(domain, geometry, radius);
    const rows = stencilRows(geometry, radius + geometry.rounding);
    this.rowCount = rows.length;
    this.list = rows;
    this.center = rows.findIndex(({ y, z }) => y === 0 && z === 0);
    this.rows = heap.allocate(16 * rows.length);
    heap.i32(this.rows, 4 * rows.length).set(rows.flatMap(({ y, z, x0, x1 }) => [y, z, x0, x1]));
    const images = stencilImages(domain, geometry);
    this.imageCount = images.length;
    this.halfImageCount = images.filter(({ cells }) => cells[2] <= 0).length;
    this.images = heap.allocate(32 * images.length);
    images.forEach(({ index, cells, shift }, k) => {
      heap.i32(this.images + 32 * k, 4).set([index, ...cells]);
      heap.f32(this.images + 32 * k + 16, 3).set(shift);
    });
    const largest = (values: number[]) => Math.max(...values.map(Math.abs));
    this.reach = [
      largest(rows.flatMap(({ x0, x1 }) => [x0, x1])),
      largest(rows.map(({ y }) => y)),
      largest(rows.map(({ z }) => z)),
    ];
    this.compress = heap.allocate(256);
    new Uint8Array(heap.memory.buffer, this.compress, 256).set(compressSwizzles());
  }

  free(): void {
    this.#heap.free(this.rows);
    this.#heap.free(this.images);
    this.#heap.free(this.compress);
  }
}

/** Equal keys mean equal tables: numbers and edges of cells tell the extent, and with it images and rounding. */
export function stencilKey({ periodic }: Domain, geometry: CellGeometry, radius: number): string {
  return [radius, periodic, geometry.dims, geometry.edges].join(' ');
}
