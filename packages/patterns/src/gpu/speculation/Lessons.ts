import type { Age, Limits } from './intervalPolicy.js';
import type { LearntInterval } from './LearntInterval.js';

/** What a stretch of steps has shown. */
export interface Lesson {
  /** Its number. */
  readonly stretch: number;
  /** The interval at which its lists were good. */
  readonly interval: number;
  /** Whether a longer one had proved too long. */
  readonly failed: boolean;
  readonly ages: readonly Age[];
  readonly limits: Limits;
}

/** Stretches between one and the first that knows what it has shown. */
const LAG = 2;

/**
 * Lessons for the interval of rebuilds that are learnt in their turn, not when somebody happened to look: in runs that take
 * the same steps whoever looks and when.
 */
export class Lessons {
  #waiting: Lesson[] = [];

  add(lesson: Lesson): void {
    this.#waiting.push(lesson);
  }

  /** Learns what a stretch may know, and gives its interval. */
  learn(interval: LearntInterval, stretch: number): number {
    for (const { stretch: from, ages, limits, ...lesson } of this.#waiting) {
      if (from > stretch - LAG) continue;
      if (lesson.failed) interval.tooLong(lesson.interval, ages, limits);
      interval.proved(ages, limits, lesson.interval);
    }
    this.#waiting = this.#waiting.filter((lesson) => lesson.stretch > stretch - LAG);
    // It would be made again if what has failed were not known yet.
    const limits = this.#waiting.filter(({ failed }) => failed);
    return Math.min(interval.value, ...limits.map((lesson) => lesson.interval));
  }
}
