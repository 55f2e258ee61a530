import type { OutputTarget } from '../../pattern/PatternEngine.js';
import { isUnchangeable } from './isUnchangeable.js';

export type Targets = Readonly<Record<string, OutputTarget | undefined>>;

/** In the place of an object that was given and may be changed: no object is this one. */
const CHANGEABLE = {};

/** Targets of outputs that a call gave, in their order. */
export class KeptTargets {
  readonly #names: readonly string[];
  readonly #targets: readonly (OutputTarget | undefined)[];
  /** What was given, if nobody can change it. */
  readonly #fixed: object | undefined;

  constructor(given: Targets | undefined) {
    this.#names = Object.keys(given ?? {});
    this.#targets = Object.values(given ?? {});
    this.#fixed = isUnchangeable(given) ? given : CHANGEABLE;
  }

  /** Whether the same are given, in the same order. */
  areSame(given: Targets | undefined): boolean {
    return given === this.#fixed || this.#haveSame(given);
  }

  #haveSame(given: Targets | undefined): boolean {
    const names = this.#names;
    let k = 0;
    for (const name in given) {
      if (k === names.length || names[k] !== name || this.#targets[k] !== given[name]) return false;
      k++;
    }
    return k === names.length;
  }
}
