import type { Domain, Grid } from '@corpuscle/core';
import type { Reuse } from './choosePath.js';

/** Frames in a row for which lists did not last, until they are given up for a while. */
const GIVE_UP = 4;
/** Frames until lists are tried again. */
const TRY_AGAIN = 32;

/** Finds out, from frame to frame, whether particles move so little that lists last. */
export class ListReuse {
  #grid: Grid | null = null;
  #domain: Domain | null = null;
  #count = 0;
  #failures = 0;
  #wait = 0;

  /** What to do with the frame in a grid. */
  ask(grid: Grid): Reuse {
    if (!this.#isSame(grid)) return { lasts: false, why: 'lists are made for this frame' };
    if (this.#wait > 0) return { lasts: false, why: 'particles move too far for lists to last' };
    return { lasts: true, why: 'lists last while particles move little' };
  }

  /** What became of a frame; `rebuilt` where its lists were to last. */
  note(grid: Grid, lasted: boolean, rebuilt: boolean): void {
    if (!this.#isSame(grid)) {
      this.#failures = this.#wait = 0;
      this.#grid = grid;
      this.#domain = grid.domain;
      this.#count = grid.count;
      return;
    }
    if (!lasted) {
      this.#wait = Math.max(0, this.#wait - 1);
      return;
    }
    this.#failures = rebuilt ? this.#failures + 1 : 0;
    if (this.#failures < GIVE_UP) return;
    this.#failures = 0;
    this.#wait = TRY_AGAIN;
  }

  #isSame(grid: Grid): boolean {
    return this.#grid === grid && this.#domain === grid.domain && this.#count === grid.count;
  }
}
