import { Crowd } from './Crowd.js';
import { type Age, type Limits, MARGIN, nextInterval, speedOf } from './intervalPolicy.js';

/**
 * Proofs for which an interval that proved too long is not tried again, at first and at most: to fail costs three stretches
 * or so, what one more step a list wins in a hundred.
 */
const CAREFUL = 16;
const MOST_CAREFUL = 1024;
/** Particles are slower than when an interval proved too long if they are this much slower. */
const SLOWER = 0.85;
/** Proofs that count: the fastest particle of one differs from that of the next, but that of many hardly does. */
const MEMORY = 12;

/**
 * How many updates a neighbour list serves, learnt from how far particles went. An interval that proved too long
 * is not tried again for a while, each time twice as long, unless the particles have become slower.
 */
export class LearntInterval {
  value = 4;
  readonly #crowd = new Crowd();
  /** How fast the fastest particle was lately. */
  readonly #speeds: number[] = [];
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
    const speed = this.#learn(ages, limits);
    if (ages.length > 0 && speed < SLOWER * this.#tooFast) {
      this.#cap = Infinity;
      this.#careful = CAREFUL;
      this.#margin = Math.min(this.#margin, MARGIN.first);
      this.#tooFast = 0;
    }
    const reach = (age: number): number => skin * (1 - this.#crowd.share(age));
    const most = Math.min(2 * interval, this.#cap);
    this.value = nextInterval(speed * this.#margin, reach, most);
  }

  /** It was used too long; this interval would have been good. */
  tooLong(good: number, ages: readonly Age[], limits: Limits): void {
    this.#tooFast = this.#learn(ages, limits);
    this.value = this.#cap = good;
    this.#capFor = this.#careful;
    this.#careful = Math.min(MOST_CAREFUL, 2 * this.#careful);
    this.#margin = Math.min(MARGIN.most, this.#margin + MARGIN.more);
  }

  /** tau ÷ skin for lists that serve so many updates. */
  shareFor(interval: number): number {
    return this.#crowd.share(interval - 1);
  }

  /** @returns how far the fastest particle went in an update lately. */
  #learn(ages: readonly Age[], limits: Limits): number {
    if (ages.length > 0) this.#speeds.push(speedOf(ages));
    if (this.#speeds.length > MEMORY) this.#speeds.shift();
    const speed = Math.max(0, ...this.#speeds);
    if (ages.length > 0 && limits.skin > 0) this.#crowd.learn(ages, limits, speed);
    return speed;
  }
}
