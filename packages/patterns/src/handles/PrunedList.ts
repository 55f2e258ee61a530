/** Members that a list may have before it is pruned for the first time. */
const FEW = 256;

/** A list whose members are needed for some time only; it grows with those that are. */
export class PrunedList<T> {
  readonly #isNeeded: (one: T) => boolean;
  readonly #all: T[] = [];
  #most = FEW;

  constructor(isNeeded: (one: T) => boolean) {
    this.#isNeeded = isNeeded;
  }

  add(one: T): void {
    if (this.#all.length === this.#most) this.#prune();
    this.#all.push(one);
  }

  /** Those that are needed now. */
  get needed(): readonly T[] {
    return this.#all.filter(this.#isNeeded);
  }

  /** Takes all out. */
  take(): readonly T[] {
    return this.#all.splice(0);
  }

  /** In place: a run has thousands of handles a second pruned. */
  #prune(): void {
    const all = this.#all;
    let left = 0;
    for (let k = 0; k < all.length; k++) {
      const one = all[k]!;
      if (this.#isNeeded(one)) all[left++] = one;
    }
    all.length = left;
    this.#most = Math.max(FEW, 2 * left);
  }
}
