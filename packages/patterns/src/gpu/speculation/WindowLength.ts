import type { SpeculationWindow } from './SpeculationWindow.js';

/** Updates after which a window ends at the next rebuild: of the first ones, which find the interval, and of others. */
export const SHORT = 16;
export const LONG = 64;
/** The same of few particles, and particles times updates up to which it is as cheap to repeat a window as to begin one. */
const LONG_OF_FEW = 256;
const CHEAP_WORK = 2 ** 20;
/** The same after many good updates. */
const LONGER = 640;
/** Good updates that make windows longer. */
const GOOD_UPDATES = 2048;
/** Particles times updates: with more the host would be seconds ahead of a large device. */
const WORK = LONGER * 2 ** 20;
/** The first windows are short, until the interval is known. */
const FIRST = 4;

/** What decides whether a window ends. */
export type OpenWindow = Pick<
  SpeculationWindow,
  'interval' | 'count' | 'updates' | 'results' | 'isFull' | 'rebuildsNext'
>;

/** When windows must not depend on results, and whether a step takes long whatever its size, as in software. */
export interface WindowOptions {
  readonly deterministic?: boolean;
  readonly isSlow?: boolean;
}

/**
 * How long speculation windows are. To begin one costs the host as much as dozens of steps, and to repeat a long one costs
 * the device more: windows are long after many good updates at the same interval or longer ones.
 */
export class WindowLength {
  readonly #options: WindowOptions;
  /** Windows begun. */
  #windows = 0;
  /** Updates before the open window, updates before the last result, and between that and the one before. */
  #before = 0;
  #resultAt = -Infinity;
  #between = Infinity;
  /** Updates before which particles are near enough to the box for builds in place. */
  #mostUnsorted = Infinity;
  /** The longest interval that was good, and updates since then. */
  #longest = 0;
  #goodUpdates = 0;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** @param updates of the window before. @returns the number of the new one. */
  begin(updates: number): number {
    this.#before += updates;
    return this.#windows++;
  }

  /** A result has been asked for after so many updates of the open window. */
  asked(updates: number): void {
    const at = this.#before + updates;
    if (at === this.#resultAt) return;
    this.#between = at - this.#resultAt;
    this.#resultAt = at;
  }

  /** Whether the window ends before its next update. */
  isOver(window: OpenWindow): boolean {
    const { updates } = window;
    const most = this.most(window);
    // The interval depends on the results asked for; the length must not.
    if (this.#options.deterministic) return updates >= most;
    const isLong = updates >= (this.#hasLastResult(window, most) ? SHORT : most);
    return (isLong || window.isFull) && window.rebuildsNext;
  }

  /** Updates after which a window ends at the next rebuild. */
  most({ interval, count }: Pick<OpenWindow, 'interval' | 'count'>): number {
    if (this.#windows < FIRST) return SHORT;
    if (this.#isFixed) return LONG;
    const [most, work] = this.isLong(interval) ? [LONGER, WORK] : [LONG_OF_FEW, CHEAP_WORK];
    return Math.min(most, this.#mostUnsorted, Math.max(LONG, Math.floor(work / count)));
  }

  get #isFixed(): boolean {
    return Boolean(this.#options.deterministic || this.#options.isSlow);
  }

  /** Whether windows at an interval are long: it has been good for many updates. */
  isLong(interval: number): boolean {
    const isTried = interval <= this.#longest && this.#goodUpdates >= GOOD_UPDATES;
    return isTried && !this.#isFixed;
  }

  /**
   * Whether the window has a result, and the next is expected too late for it. Results travel with the records that prove
   * them, so it ends soon after the last.
   */
  #hasLastResult({ results }: OpenWindow, most: number): boolean {
    return results > 0 && this.#resultAt - this.#before + this.#between + SHORT > most;
  }

  /** A window was good. */
  proved(interval: number, updates: number): void {
    if (interval > this.#longest) {
      this.#longest = interval;
      this.#goodUpdates = 0;
    }
    this.#goodUpdates += updates;
  }

  /** In a window of so many updates, which begins with a sort, a particle went too far out of the box for builds in place. */
  strayed(updates: number): void {
    this.#mostUnsorted = Math.max(LONG, Math.min(this.#mostUnsorted, updates) >> 1);
  }

  /** Windows must be repeated. */
  failed(): void {
    this.#longest = this.#goodUpdates = 0;
  }
}
