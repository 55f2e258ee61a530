import { SharedHeap } from '@corpuscle/core';

const GUARD = 128;
const MARK = 0xa5;

/** A heap with marked bytes after each allocation: what a kernel writes there is told by `overwritten`. */
export class GuardedHeap extends SharedHeap {
  readonly #ends = new Map<number, number>();
  readonly #damage: number[] = [];

  override allocate(bytes: number): number {
    const start = super.allocate(bytes + GUARD);
    this.#ends.set(start, start + bytes);
    this.#marks(start + bytes).fill(MARK);
    return start;
  }

  override free(start: number): void {
    this.#damage.push(...this.#damageOf(start));
    super.free(start);
    this.#ends.delete(start);
  }

  /** Bytes written after the ends of allocations, also of those that were freed, as distances from these ends. */
  overwritten(): number[] {
    return [...this.#damage, ...[...this.#ends.keys()].flatMap((start) => this.#damageOf(start))];
  }

  #damageOf(start: number): number[] {
    const end = this.#ends.get(start);
    if (end === undefined) return [];
    return [...this.#marks(end)].flatMap((value, k) => (value === MARK ? [] : [k]));
  }

  #marks(end: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, end, GUARD);
  }
}
