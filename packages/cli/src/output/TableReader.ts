/**
 * Finds tables in what operators say line by line: a head of names, the first of which is `step`, and rows with a number for each.
 *
 * @example
 * const table = new TableReader();
 * table.read('  step   time  temperature'); // 'head'
 * table.read('    10   0.05        1.4');   // { step: 10, time: 0.05, temperature: 1.4 }
 */
export class TableReader {
  #names: readonly string[] = [];

  /** The numbers of a row by name; null for a line that is no part of a table. */
  read(line: string): Readonly<Record<string, number>> | 'head' | null {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'step' && words.every((word) => /^[a-z]\w*$/i.test(word))) {
      this.#names = words;
      return 'head';
    }
    const numbers = words.map(Number);
    const isRow = words.length === this.#names.length && !numbers.some(Number.isNaN);
    if (!isRow) return null;
    return Object.fromEntries(this.#names.map((name, k) => [name, numbers[k]!]));
  }
}
