import { Crowd } from './Crowd.js';
import { type Age, type Limits, MARGIN, nextInterval, speedOf } from './intervalPolicy.js';

/** Proofs for which an interval that proved too long is not tried again: to fail costs more than it may win. */
const CAREFUL = 128;
const MOST_CAREFUL = 8 * CAREFUL;
/** Particles are slower than when an interval proved too long if they are this much slower. */
const SLOWER = 0.9;

/**
 * How many updates a neighbour list serves, learnt from how far particles went. An interval that proved too long
 * is not tried again for a while, each time twice as long, unless the particles have become slower.
 */
export class LearntInterval {
  value = 4;
  readonly #crowd = new Crowd();
  #cap = Infinity;
  #capFor = 0;
  #careful = CAREFUL;
  #margin: number = MARGIN.first;
  /** How fast the fastest particle was when an interval proved too long. */
  #tooFast = 0;

  /** It was good at this interval. */
  proved(ages: readonly Age[], limits: Limits, interval: number): void {
    if (this.#capFor > 0 && --this.#capFor === 0) this.#cap = Infinity;
    this.#margin = Math.max(MARGIN.least, this.#margin - MARGIN.less);
    const { skin } = limits;
    if (!(skin > 0)) return;
    if (ages.length > 0) this.#crowd.learn(ages, limits);
    if (ages.length > 0 && speedOf(ages) < SLOWER * this.#tooFast) {
      this.#cap = Infinity;
      this.#careful = CAREFUL;
      this.#margin = Math.min(this.#margin, MARGIN.first);
      this.#tooFast = 0;
    }
    const reach = (age: number): number => skin * (1 - this.#crowd.share(age));
    this.value = nextInterval(ages, reach, interval, this.#cap, this.#margin);
  }

  /** It was used too long; this interval would have been good. */
  tooLong(good: number, ages: readonly Age[], limits: Limits): void {
    if (ages.length > 0 && limits.skin > 0) this.#crowd.learn(ages, limits);
    this.#tooFast = speedOf(ages);
    this.value = this.#cap = good;
    this.#capFor = this.#careful;
    this.#careful = Math.min(MOST_CAREFUL, 2 * this.#careful);
    this.#margin = Math.min(MARGIN.most, this.#margin + MARGIN.more);
  }

  /** tau ÷ skin for lists that serve so many updates. */
  shareFor(interval: number): number {
    return this.#crowd.share(interval - 1);
  }
}
