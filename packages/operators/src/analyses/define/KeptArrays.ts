import { createArray, type ExecutionContext, type SharedArray } from '@corpuscle/patterns';

/** Arrays of a call that are kept from frame to frame, and become larger where that is needed. */
export class KeptArrays {
  readonly #ctx: ExecutionContext;
  readonly #arrays = new Map<string, SharedArray>();

  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
  }

  /** An array that begins with these numbers; it may be longer. */
  write(name: string, type: 'real' | 'u32', values: ArrayLike<number>): SharedArray {
    const array = this.room(name, type, values.length);
    array.values.set(values);
    array.block.hostWritten();
    return array;
  }

  /** An array with room for so many numbers at least; nothing is written. */
  room(name: string, type: 'real' | 'u32', length: number): SharedArray {
    const known = this.#arrays.get(name);
    if (known && known.length >= length) return known;
    known?.free();
    const array = createArray(this.#ctx, type, Math.ceil(length * 1.1) + 16);
    this.#arrays.set(name, array);
    return array;
  }

  /** An array, if there is one of that name. */
  find(name: string): SharedArray | undefined {
    return this.#arrays.get(name);
  }

  /** An array that has been written. */
  get(name: string): SharedArray {
    return this.#arrays.get(name)!;
  }

  /** Gives the memory of all arrays back. */
  close(): void {
    for (const array of this.#arrays.values()) array.free();
    this.#arrays.clear();
  }
}
