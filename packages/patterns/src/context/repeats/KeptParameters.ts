import type { ParameterValues } from '../../pattern/PatternEngine.js';

/** Parameters that a call was given, in their order, kept to recognise them: their owner may have changed them since. */
export class KeptParameters {
  readonly #names: readonly string[];
  /** NaN for tables. */
  readonly #numbers: Float64Array;
  /** Null for numbers. */
  readonly #tables: readonly (Float64Array | null)[];

  constructor(values: ParameterValues) {
    this.#names = Object.keys(values);
    const all = Object.values(values);
    this.#numbers = Float64Array.from(all, (value) => (typeof value === 'number' ? value : NaN));
    this.#tables = all.map((value) =>
      typeof value === 'number' ? null : Float64Array.from(value),
    );
  }

  /** Whether the same are given, to the bit and in the same order. */
  areSame(given: object | undefined): boolean {
    const names = this.#names;
    const values = given as Record<string, unknown> | undefined;
    let k = 0;
    for (const name in values) {
      if (k === names.length || names[k] !== name) return false;
      const value = values[name];
      if (typeof value === 'number') {
        if (this.#tables[k] !== null || !isSameNumber(this.#numbers[k]!, value)) return false;
      } else if (!isSameTable(this.#tables[k]!, value)) return false;
      k++;
    }
    return k === names.length;
  }
}

/** To the bit: where two are equal, only zeros may still differ. */
const isSameNumber = (before: number, now: unknown): boolean =>
  (before === now && before !== 0) || Object.is(before, now);

function isSameTable(before: Float64Array | null, now: unknown): boolean {
  if (before === null || typeof now !== 'object' || now === null) return false;
  const table = now as ArrayLike<unknown>;
  if (before.length !== table.length) return false;
  for (let k = 0; k < before.length; k++) if (!isSameNumber(before[k]!, table[k])) return false;
  return true;
}
