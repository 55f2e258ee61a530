/**
 * Holds a run between two steps, lets it do some, or ends it. It is the signal of the run too.
 *
 *   released ── hold ──► held ── release, advance ──► released (for so many steps) ── end ──► aborted
 */
export class Steering {
  /** Whether the run ends after the step it is in. */
  aborted = false;
  /** Steps a second at most. */
  speed = Number.POSITIVE_INFINITY;
  #left: number;
  #nextAt = 0;
  #isWaiting = false;
  #wake: (() => void) | null = null;
  readonly #onHold: (isHeld: boolean) => void;

  /** @param onHold told when the run begins to wait, and when it goes on. */
  constructor(onHold: (isHeld: boolean) => void, { held = false } = {}) {
    this.#onHold = onHold;
    this.#left = held ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Asked after each step. @returns a promise after which it is to be asked again, or undefined: the run goes on. */
  atStep(): Promise<void> | undefined {
    if (this.aborted) return undefined;
    if (this.#left <= 0) return this.#hold();
    if (this.speed !== Number.POSITIVE_INFINITY) {
      const now = performance.now();
      if (now < this.#nextAt) return this.#sleep(this.#nextAt - now);
      this.#nextAt = now + 1000 / this.speed;
    }
    this.#left--;
    return undefined;
  }

  /** Holds the run after the step it is in. */
  hold(): void {
    this.#left = 0;
  }

  /** Lets the run do so many steps. Default: all. */
  advance(steps = Number.POSITIVE_INFINITY): void {
    this.#left = steps;
    if (this.#isWaiting) this.#onHold(false);
    this.#isWaiting = false;
    this.nudge();
  }

  /** Ends the run after the next step. */
  end(): void {
    this.aborted = true;
    this.nudge();
  }

  /** A run that waits asks again. */
  nudge(): void {
    this.#wake?.();
    this.#wake = null;
  }

  #hold(): Promise<void> {
    if (!this.#isWaiting) this.#onHold(true);
    this.#isWaiting = true;
    return new Promise((wake) => {
      this.#wake = wake;
    });
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      const timer = setTimeout(wake, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        wake();
      };
    });
  }
}
