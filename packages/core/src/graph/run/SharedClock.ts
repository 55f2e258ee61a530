/** What one of several operators that run beside each other has used. */
export interface Share {
  milliseconds: number;
}

const clock = performance;

/** Divides the time in which several operators run among them, so that the shares add up to the time. */
export class SharedClock {
  readonly #running = new Set<Share>();
  #divided = 0;

  begin(): Share {
    this.#divide();
    const share = { milliseconds: 0 };
    this.#running.add(share);
    return share;
  }

  /** @returns milliseconds that count for this one */
  end(share: Share): number {
    this.#divide();
    this.#running.delete(share);
    return share.milliseconds;
  }

  /** Gives every one that runs its part of the time since the last one began or ended. */
  #divide(): void {
    const now = clock.now();
    const part = (now - this.#divided) / this.#running.size;
    for (const share of this.#running) share.milliseconds += part;
    this.#divided = now;
  }
}
