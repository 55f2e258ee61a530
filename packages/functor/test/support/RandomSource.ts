/** Seeded choices for generated tests (mulberry32): the same seed gives the same test anywhere. */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2654435761) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
}
