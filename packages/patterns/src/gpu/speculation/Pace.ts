import type { Findings } from './examine.js';
import type { Limits } from './intervalPolicy.js';
import { LearntInterval } from './LearntInterval.js';
import { Lessons } from './Lessons.js';
import type { SpeculationWindow } from './SpeculationWindow.js';
import { LONG, lessonsOf, SHORT, StretchLength } from './StretchLength.js';

/** Short stretches at first, until the interval is known. */
const FIRST = 4;

/**
 * How long lists serve and how long stretches are, on one grid: learnt from what stretches have shown. Where steps must be
 * the same whoever looks (`deterministic`), stretches have a fixed length, and what one shows is learnt two stretches later.
 */
export class Pace {
  readonly #deterministic: boolean;
  readonly #isSlow: boolean;
  readonly #interval = new LearntInterval();
  readonly #lessons = new Lessons();
  readonly #length = new StretchLength();
  /** Stretches begun. */
  #stretches = 0;
  #latest: SpeculationWindow | null = null;
  /** Updates before it, updates before the last result, and between that and the one before. */
  #before = 0;
  #resultAt = -Infinity;
  #between = Infinity;

  /** @param isSlow whether a step takes long whatever its size, as in software: nobody shall wait long for results. */
  constructor(deterministic: boolean, isSlow = false) {
    this.#deterministic = deterministic;
    this.#isSlow = isSlow;
  }

  /** A stretch begins: it gets a number and an interval. */
  set(stretch: SpeculationWindow): void {
    this.#before += this.#latest?.updates ?? 0;
    this.#latest = stretch;
    stretch.number = this.#stretches++;
    stretch.interval = this.#lessons.learn(this.#interval, stretch.number);
    stretch.share = this.#interval.shareFor(stretch.interval);
  }

  /** A result has been asked for in a stretch. */
  asked({ updates }: SpeculationWindow): void {
    const at = this.#before + updates;
    if (at === this.#resultAt) return;
    this.#between = at - this.#resultAt;
    this.#resultAt = at;
  }

  /** Whether a stretch is to end before its next update. */
  isOver(stretch: SpeculationWindow): boolean {
    const most = this.#most(stretch);
    // What the interval is depends on who has looked; how long a stretch is must not.
    if (this.#deterministic) return stretch.updates >= most;
    const isLong = stretch.updates >= (this.#hasLastResult(stretch, most) ? SHORT : most);
    return (isLong || stretch.isFull) && stretch.rebuildsNext;
  }

  /** Updates of a stretch. */
  #most({ interval, grid }: SpeculationWindow): number {
    if (this.#stretches < FIRST) return SHORT;
    return this.#deterministic || this.#isSlow ? LONG : this.#length.of(interval, grid.count);
  }

  /**
   * Whether a stretch has a result and has no room for another, by when that is expected. Results travel together with the
   * records that prove them: it ends soon behind the last.
   */
  #hasLastResult({ results }: SpeculationWindow, most: number): boolean {
    return results > 0 && this.#resultAt - this.#before + this.#between + SHORT > most;
  }

  /** A list was used too long. */
  shorten(stretch: SpeculationWindow, { interval, ages }: Findings): void {
    if (!this.#deterministic) {
      this.#interval.tooLong(interval, ages, limitsOf(stretch));
      return;
    }
    // Step by step: so it ends at the same interval, however much of the stretch has been looked at.
    stretch.interval--;
    stretch.failed = true;
  }

  /** Stretches are made again. @returns the longest interval of what is made again from this one on. */
  again({ interval, failed }: SpeculationWindow): number {
    this.#length.failed();
    if (!this.#deterministic) return this.#interval.value;
    return failed ? interval : Infinity;
  }

  /** A stretch was good: intervals may become longer. */
  learn(stretch: SpeculationWindow, { ages }: Findings): void {
    const { number, interval, updates, failed } = stretch;
    const limits = limitsOf(stretch);
    if (this.#deterministic) this.#lessons.add({ stretch: number, interval, failed, ages, limits });
    else for (const part of lessonsOf(ages, updates)) this.#interval.proved(part, limits, interval);
    this.#length.proved(stretch);
  }
}

const limitsOf = ({ skin, fast, grid }: SpeculationWindow): Limits => ({
  skin,
  tau: fast ? fast.tau : skin / 2,
  room: fast ? fast.room : 0,
  count: grid.count,
});
