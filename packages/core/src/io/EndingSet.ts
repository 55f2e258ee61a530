import { host } from '#core/platform';

/** What must be ended also where the process exits by itself, by `process.exit` or an exception. */
export class EndingSet<T> {
  readonly #open = new Set<T>();
  readonly #end: (one: T) => void;
  #isWatching = false;

  /** @param end is called for each that is there when the process exits; nothing can be awaited then. */
  constructor(end: (one: T) => void) {
    this.#end = end;
  }

  add(one: T): void {
    this.#open.add(one);
    if (this.#isWatching) return;
    this.#isWatching = true;
    host.onExit(() => {
      for (const open of this.#open) this.#end(open);
    });
  }

  /** @returns whether it was there. */
  delete(one: T): boolean {
    return this.#open.delete(one);
  }
}
