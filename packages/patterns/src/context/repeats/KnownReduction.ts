import type { Grid } from '@corpuscle/core';
import type { ReduceCall } from '../../pattern/PatternEngine.js';
import { isRepeatableReduction } from './isRepeatable.js';
import { isUnchangeable } from './isUnchangeable.js';
import { type Asked, KnownCall, type Repeated } from './KnownCall.js';

/** Initial values as they are given: not of every result. */
export type Initial = Readonly<Record<string, unknown>>;

export class KnownReduction extends KnownCall<ReduceCall> {
  /** The initial values, if nobody can change them. */
  readonly #fixedInitial: Initial | null;
  /** Of every result, as given. */
  readonly #given: readonly unknown[];

  constructor(functor: object, options: Asked, initial: Initial, repeated: Repeated<ReduceCall>) {
    super(functor, options, repeated);
    this.#fixedInitial = isUnchangeable(initial) ? initial : null;
    this.#given = Object.keys(this.call.initial).map((name) => initial[name]);
  }

  is(grid: Grid, functor: object, options: Asked, initial: Initial): boolean {
    if (!this.isOf(grid, functor)) return false;
    if (initial !== this.#fixedInitial && !this.#begins(initial)) return false;
    return options === this.fixed || this.#says(options);
  }

  #says(options: Asked): boolean {
    return isRepeatableReduction(options) && this.params.areSame(options.params);
  }

  /** Whether the same initial values are given, to the bit, and none that no result has. */
  #begins(initial: Initial): boolean {
    const results = this.call.initial;
    for (const name in initial) if (!(name in results)) return false;
    let k = 0;
    for (const name in results) if (!Object.is(this.#given[k++], initial[name])) return false;
    return true;
  }
}
