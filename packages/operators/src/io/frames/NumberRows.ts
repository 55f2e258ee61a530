import { allocateNumbers } from '@corpuscle/core';

/** Rows that are made as lines arrive: memory follows what a file holds, not what it announces. */
const FIRST = 1 << 14;

/** Rows of numbers of a text, whose count the file has announced. */
export class NumberRows {
  readonly width: number;
  #values: Float64Array<ArrayBuffer>;
  readonly #most: number;

  constructor(count: number, width: number) {
    this.width = width;
    this.#most = count;
    this.#values = allocateNumbers(Math.min(count, FIRST) * width, 'a frame');
  }

  /** The array that has row `row`. Arrays that were returned before may be invalid then. */
  reach(row: number): Float64Array<ArrayBuffer> {
    const rows = this.#values.length / this.width;
    if (row < rows || this.width === 0) return this.#values;
    const grown = allocateNumbers(Math.min(this.#most, 2 * rows) * this.width, 'a frame');
    grown.set(this.#values);
    this.#values = grown;
    return grown;
  }

  /** One column. */
  column(index: number): Float64Array<ArrayBuffer> {
    const out = new Float64Array(this.#most);
    for (let k = 0; k < out.length; k++) out[k] = this.#values[k * this.width + index]!;
    return out;
  }

  /** Three columns as vectors. */
  vectors(indices: readonly [number, number, number]): Float64Array<ArrayBuffer> {
    const out = new Float64Array(3 * this.#most);
    for (let k = 0; k < this.#most; k++)
      for (let axis = 0; axis < 3; axis++)
        out[3 * k + axis] = this.#values[k * this.width + indices[axis]!]!;
    return out;
  }
}
