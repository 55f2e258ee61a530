import { type PatternHandle, whenDone } from '@corpuscle/patterns';

/** Rows under way at most; beyond that the run waits for the oldest. */
const MOST = 256;

/**
 * Rows of a table that are written in order as they arrive, so that no step waits for one:
 *
 *   add → [ row | row | row ] → deliver
 *
 * An error, such as a blow-up, is thrown by the next `add`, or by `flush`.
 */
export class PendingRows<R> {
  readonly #deliver: (row: R) => void;
  readonly #rows: PatternHandle<R>[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(deliver: (row: R) => void) {
    this.#deliver = deliver;
  }

  /** @returns a promise when too many rows are under way: the run should wait for it. */
  add(row: PatternHandle<R>): void | Promise<void> {
    this.#rows.push(row);
    this.#drain();
    if (!this.#failure && row.done) return undefined;
    const arrived = () => this.#drain();
    whenDone(row).then(arrived, arrived); // after a failure too: later rows fail of the same, which is told once
    if (this.#failure) throw this.#failure.error;
    return this.#rows.length > MOST ? this.#wait(this.#rows[0]!) : undefined;
  }

  /** Waits for all rows. */
  async flush(): Promise<void> {
    while (this.#rows.length > 0 && !this.#failure) await this.#wait(this.#rows.at(-1)!);
    if (this.#failure) throw this.#failure.error;
  }

  async #wait(row: PatternHandle<R>): Promise<void> {
    await row.wait().catch(() => {}); // its error is thrown in its turn
    this.#drain();
    if (this.#failure) throw this.#failure.error;
  }

  #drain(): void {
    while (this.#rows[0]?.done && !this.#failure) {
      try {
        this.#deliver(this.#rows.shift()!.value);
      } catch (error) {
        this.#failure = { error };
      }
    }
  }
}
