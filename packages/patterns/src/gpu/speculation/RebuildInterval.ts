import { FastParticles } from './FastParticles.js';
import { type Limits, type ListAge, nextInterval, speedOf } from './listAge.js';
import type { SpeculationWindow } from './SpeculationWindow.js';
import { LONG, WindowLength, type WindowOptions } from './WindowLength.js';

/**
 * Predictions are this much on the careful side: the fastest particle of one interval is not that of the next. The
 * margin shrinks while predictions prove right, and grows when steps had to be repeated.
 */
const MARGIN = { first: 1.06, least: 1.03, most: 1.2, less: 0.001, more: 0.02 } as const;
/**
 * In long windows one of so many may fail: what is made again then are thousands of steps, and one more step a list wins only
 * three percent.
 */
const RARE = 200;
/**
 * Proofs for which an interval that proved too long is not tried again, at first and at most. To fail costs about three
 * windows; one more step a list wins one percent.
 */
const BACKOFF = { first: 16, most: 1024 } as const;
/**
 * Particles are slower than when an interval proved too long if they are this much slower on the mean of some proofs: the
 * fastest of few particles differs by more than that from proof to proof.
 */
const SLOWER = 0.85;
/** Proofs that count: the fastest particle of one differs from that of the next, but that of many hardly does. */
const MEMORY = 12;
/** In deterministic runs, windows between one and the first that has learned from it. */
const LAG = 2;

/** A window with some updates. */
export type UsedWindow = Pick<
  SpeculationWindow,
  'number' | 'interval' | 'failed' | 'updates' | 'limits'
>;

/** What the records of a window say: the interval at which all lists are good (its own where they were), and what each update found. */
export interface ListFindings {
  readonly interval: number;
  readonly ages: readonly ListAge[];
}

type Outcome = Omit<UsedWindow, 'updates'> & Pick<ListFindings, 'ages'>;

/**
 * How many updates a neighbor list serves and how long speculation windows are, learned from how far particles went. An
 * interval that proved too long is not tried again for a while, each time twice as long, unless particles become slower.
 * In deterministic runs windows have a fixed length, and what one shows is learned two windows later: so no step depends on
 * which results are asked for.
 *
 * It knows nothing of devices. The same calls give the same decisions, so a recorded run can be replayed.
 */
export class RebuildInterval {
  readonly #deterministic: boolean;
  readonly length: WindowLength;
  readonly #fast = new FastParticles();
  /** How fast the fastest particle was lately. */
  readonly #speeds: number[] = [];
  /** What windows have shown that is not learned yet. */
  readonly #waiting: Outcome[] = [];
  #interval = 4;
  /** The same for long windows. */
  #sureInterval = 4;
  /** Longer intervals are not tried for so many proofs; the next time they are not for `backoff`. */
  #cap = Infinity;
  #capFor = 0;
  #backoff: number = BACKOFF.first;
  #margin: number = MARGIN.first;
  /** How fast the fastest particle was, on the mean of some proofs, when an interval proved too long. */
  #tooFast = 0;

  constructor(options: WindowOptions = {}) {
    this.#deterministic = options.deterministic ?? false;
    this.length = new WindowLength(options);
  }

  /** How a window begins. @param updates of the window before. */
  begin(updates: number): Pick<SpeculationWindow, 'number' | 'interval' | 'tauRatio'> {
    const number = this.length.begin(updates);
    const waiting = this.#waiting;
    while (waiting[0] && waiting[0].number <= number - LAG) {
      const outcome = waiting.shift()!;
      if (outcome.failed) this.#tooLong(outcome.interval, outcome);
      this.#proved(outcome);
    }
    // An interval that is known to fail would only make steps repeat.
    const failed = waiting.filter((outcome) => outcome.failed);
    const shortest = Math.min(this.#interval, ...failed.map((outcome) => outcome.interval));
    const isLong = this.length.isLong(shortest);
    const interval = isLong ? Math.min(shortest, this.#sureInterval) : shortest;
    return { number, interval, tauRatio: this.#fast.tauRatio(interval - 1) };
  }

  /** A window must be repeated. @returns the longest interval from it on, `Infinity` for any. */
  repeat({ interval, failed, limits }: UsedWindow, found: ListFindings): number {
    const isTooLong = found.interval < interval;
    this.length.failed();
    if (this.#deterministic) {
      // One by one: so it ends at the same interval, however much of the window has been read.
      if (isTooLong) return interval - 1;
      return failed ? interval : Infinity;
    }
    if (isTooLong) this.#tooLong(found.interval, { ages: found.ages, limits });
    return this.#interval;
  }

  /** A window was good: intervals may become longer. */
  learn({ number, interval, failed, updates, limits }: UsedWindow, ages: readonly ListAge[]): void {
    this.length.proved(interval, updates);
    if (this.#deterministic) this.#waiting.push({ number, interval, failed, ages, limits });
    else for (const part of partsOf(ages, updates)) this.#proved({ interval, ages: part, limits });
  }

  #proved({ interval, ages, limits }: Pick<Outcome, 'interval' | 'ages' | 'limits'>): void {
    if (this.#capFor > 0 && --this.#capFor === 0) this.#cap = Infinity;
    this.#margin = Math.max(MARGIN.least, this.#margin - MARGIN.less);
    const { skin } = limits;
    if (!(skin > 0)) return;
    const speed = this.#speedAfter(ages, limits);
    if (ages.length > 0 && this.#meanSpeed < SLOWER * this.#tooFast) {
      this.#cap = Infinity;
      this.#backoff = BACKOFF.first;
      this.#margin = Math.min(this.#margin, MARGIN.first);
      this.#tooFast = 0;
    }
    const reach = (age: number): number => skin * (1 - this.#fast.tauRatio(age));
    const most = Math.min(2 * interval, this.#cap);
    this.#interval = nextInterval(speed * this.#margin, reach, most);
    const margin = Math.max(this.#margin, rareMargin(limits.count));
    this.#sureInterval = nextInterval(speed * margin, reach, most);
  }

  /** Lists were used too long; this interval would have been good. */
  #tooLong(good: number, { ages, limits }: Pick<Outcome, 'ages' | 'limits'>): void {
    this.#speedAfter(ages, limits);
    this.#tooFast = this.#meanSpeed;
    this.#interval = this.#cap = good;
    this.#capFor = this.#backoff;
    this.#backoff = Math.min(BACKOFF.most, 2 * this.#backoff);
    this.#margin = Math.min(MARGIN.most, this.#margin + MARGIN.more);
  }

  get #meanSpeed(): number {
    return this.#speeds.reduce((sum, speed) => sum + speed, 0) / Math.max(1, this.#speeds.length);
  }

  /** @returns how far the fastest particle went in an update lately. */
  #speedAfter(ages: readonly ListAge[], limits: Limits): number {
    if (ages.length > 0) this.#speeds.push(speedOf(ages));
    if (this.#speeds.length > MEMORY) this.#speeds.shift();
    const speed = Math.max(0, ...this.#speeds);
    if (ages.length > 0 && limits.skin > 0) this.#fast.learn(ages, limits, speed);
    return speed;
  }
}

/**
 * How much farther the fastest particle goes in one of `RARE` long windows than it does in most: in thermal motion the square of
 * its distance grows with the logarithm of how many particles, of how many lists, it is the fastest of.
 */
const rareMargin = (count: number): number =>
  1 + Math.log(RARE) / (2 * Math.log(Math.max(2, count) * LONG));

/** What a window has shown, in parts of the usual length: a long one teaches as much as several. */
export function partsOf(ages: readonly ListAge[], updates: number): (readonly ListAge[])[] {
  const parts = Math.max(1, Math.round(updates / LONG));
  const at = (part: number): number => Math.round((part * ages.length) / parts);
  return Array.from({ length: parts }, (_, k) => ages.slice(at(k), at(k + 1)));
}
