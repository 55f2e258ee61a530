/**
 * Choices for a generated test, taken from a list of numbers that fast-check makes and shortens. After its end every choice is
 * the first one, so that what a failure is reduced to is short and plain.
 */
export class Tape {
  #at = 0;

  constructor(readonly values: readonly number[]) {}

  below(n: number): number {
    return (this.values[this.#at++] ?? 0) % n;
  }

  /** True once in n. */
  once(n: number): boolean {
    return this.below(n) === n - 1;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
