import { allocateNumbers } from '@corpuscle/core';
import { failAt } from '../../io/failAt.js';
import { LineReader } from '../../io/LineReader.js';

/** Spacings and sizes of tables over densities and distances. */
export interface TableSizes {
  readonly densities: number;
  readonly densitySpacing: number;
  readonly radii: number;
  readonly spacing: number;
  readonly rcut: number;
}

/** Lines of a file of tables: words, and numbers over several lines. */
export class TableLines implements Disposable {
  readonly #reader: LineReader;
  #text = '';
  #ahead: string[] | null = null;

  constructor(file: string) {
    this.#reader = new LineReader(file);
  }

  fail(message: string): never {
    return failAt(this.#reader, this.#text, 1, message);
  }

  /** Words of the next line. @param what is in it */
  line(what: string): string[] {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead) return ahead;
    const next = this.#reader.next();
    if (next === null) return this.fail(`the file ends before ${what}`);
    this.#text = next;
    return next.trim().split(/\s+/).filter(Boolean);
  }

  /** Whether more numbers follow, and no line of an element such as `29 63.55 3.615 fcc`. */
  isTable(what: string): boolean {
    this.#ahead = this.line(what);
    return this.#ahead.every((word) => Number.isFinite(Number(word)));
  }

  /** Numbers that begin on a line of their own, times a factor. */
  numbers(count: number, what: string, factor: number): Float64Array {
    const { bytes } = this.#reader;
    // A number takes a character and a separator: only what the file can hold is allocated.
    if (2 * count > bytes + 1)
      this.fail(`the file is too short (${bytes} bytes) for ${what}, which has ${count} numbers`);
    const values = allocateNumbers(count, what);
    for (let k = 0; k < count; ) {
      for (const word of this.line(`${what} has all of its ${count} numbers`)) {
        const value = Number(word);
        if (!Number.isFinite(value)) this.fail(`'${word}' in ${what} is no number`);
        if (k === count) this.fail(`${what} has more than ${count} numbers`);
        values[k++] = value * factor;
      }
    }
    return values;
  }

  /** `Nrho drho Nr dr cutoff`. @param number of the line */
  sizes(words: readonly string[], number: number): TableSizes {
    const [densities = 0, densitySpacing = 0, radii = 0, spacing = 0, rcut = 0] = words.map(Number);
    const whole = [densities, radii].every((n) => Number.isInteger(n) && n >= 5);
    if (!whole || !(densitySpacing > 0 && spacing > 0 && rcut > 0))
      this.fail(`line ${number} must say Nrho drho Nr dr cutoff, with Nrho and Nr 5 or more`);
    return { densities, densitySpacing, radii, spacing, rcut };
  }

  [Symbol.dispose](): void {
    this.#reader.close();
  }
}
