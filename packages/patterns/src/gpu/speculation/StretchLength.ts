import type { Age } from './intervalPolicy.js';

/** Updates after which a stretch ends at the next rebuild: of the first ones, which find the interval, and of others. */
export const SHORT = 16;
export const LONG = 64;
/** Of those that take no more risks. */
const LONGER = 640;
/** Updates that must have been good before. */
const CALM = 2048;
/** Particles times updates: with more the host would be seconds ahead of a large device. */
const WORK = LONGER * 2 ** 20;

interface Proved {
  readonly interval: number;
  readonly updates: number;
}

/**
 * How long stretches are. To end one and begin the next costs the host as much as dozens of steps, and to make a long one
 * again costs the device more: stretches are long where lists serve no longer than lists have served for long.
 */
export class StretchLength {
  /** The longest interval of those that were good. */
  #longest = 0;
  /** Updates since then. */
  #calm = 0;

  /** A stretch was good. */
  proved({ interval, updates }: Proved): void {
    if (interval > this.#longest) {
      this.#longest = interval;
      this.#calm = 0;
    }
    this.#calm += updates;
  }

  /** Some had to be made again. */
  failed(): void {
    this.#longest = this.#calm = 0;
  }

  /** Updates of a stretch with such an interval. */
  of(interval: number, particles: number): number {
    const isTried = interval <= this.#longest && this.#calm >= CALM;
    if (!isTried) return LONG;
    return Math.min(LONGER, Math.max(LONG, Math.floor(WORK / particles)));
  }
}

/** What a stretch has shown, in parts of the usual length: a long one teaches as much as several. */
export function lessonsOf(ages: readonly Age[], updates: number): (readonly Age[])[] {
  const parts = Math.max(1, Math.round(updates / LONG));
  const at = (part: number): number => Math.round((part * ages.length) / parts);
  return Array.from({ length: parts }, (_, k) => ages.slice(at(k), at(k + 1)));
}
