import type { ListOptions } from './checkRun.js';

/**
 * How far the neighbor lists of a run reach. Operators that look farther in every step ask for it by `serve`; those that look
 * farther now and then use `neighborsWithin`, which costs the other steps nothing.
 */
export class RunLists {
  /** What `update_neighbours` asks for: another object when that has changed. */
  #options: ListOptions;

  /** @param rcut the largest cutoff that is known before the run; 0 where nothing looks at neighbors */
  constructor(rcut: number, skin: number | 'auto') {
    this.#options = Object.freeze({ rcut, skin, ahead: true });
  }

  get rcut(): number {
    return this.#options.rcut;
  }

  get skin(): number | 'auto' {
    return this.#options.skin;
  }

  get options(): ListOptions {
    return this.#options;
  }

  /** From the next update on the lists reach at least this far. */
  serve(rcut: number): void {
    if (rcut > this.rcut) this.#options = Object.freeze({ ...this.#options, rcut });
  }
}
