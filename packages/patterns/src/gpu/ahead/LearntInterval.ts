import { type Age, MARGIN, nextInterval } from './intervalPolicy.js';

/** Proofs for which an interval that proved too long is not tried again: to fail costs more than it may win. */
const CAREFUL = 128;
const MOST_CAREFUL = 8 * CAREFUL;

/**
 * How many updates a neighbour list serves, learnt from how far particles went. An interval that proved too long
 * is not tried again for a while, each time twice as long, unless the particles have become slower.
 */
export class LearntInterval {
  value = 4;
  #cap = Infinity;
  #capFor = 0;
  #careful = CAREFUL;
  #margin: number = MARGIN.first;

  /** It was good at this interval. @param most distance after which they are not. */
  proved(ages: readonly Age[], most: number, interval: number): void {
    if (this.#capFor > 0 && --this.#capFor === 0) this.#cap = Infinity;
    this.#margin = Math.max(MARGIN.least, this.#margin - MARGIN.less);
    if (!(most > 0)) return;
    const next = (cap: number, margin: number): number =>
      nextInterval(ages, most, interval, cap, margin);
    if (next(Infinity, MARGIN.most) > this.#cap) {
      this.#cap = Infinity;
      this.#careful = CAREFUL;
    }
    this.value = next(this.#cap, this.#margin);
  }

  /** It was used too long; this interval would have been good. */
  tooLong(good: number): void {
    this.value = this.#cap = good;
    this.#capFor = this.#careful;
    this.#careful = Math.min(MOST_CAREFUL, 2 * this.#careful);
    this.#margin = Math.min(MARGIN.most, this.#margin + MARGIN.more);
  }
}
