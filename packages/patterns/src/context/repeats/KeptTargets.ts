import type { OutputTarget } from '../../pattern/PatternEngine.js';

export type Targets = Readonly<Record<string, OutputTarget | undefined>>;

/** Targets of outputs that a call gave, in their order. */
export class KeptTargets {
  readonly #names: readonly string[];
  readonly #targets: readonly (OutputTarget | undefined)[];

  constructor(given: Targets | undefined) {
    this.#names = Object.keys(given ?? {});
    this.#targets = Object.values(given ?? {});
  }

  /** Whether the same are given, in the same order. */
  areSame(given: Targets | undefined): boolean {
    const names = this.#names;
    let k = 0;
    for (const name in given) {
      if (k === names.length || names[k] !== name || this.#targets[k] !== given[name]) return false;
      k++;
    }
    return k === names.length;
  }
}
