import { CorpuscleError } from '@corpuscle/core';
import { failAt } from '../failAt.js';
import type { TextSource } from '../frames/TextSource.js';

/** Counts and box of a data file, as its head has them. */
export interface DataHead {
  readonly counts: ReadonlyMap<string, number>;
  readonly box: ReadonlyMap<string, readonly number[]>;
}

/** A line of the head: numbers and what they are. */
const HEAD = /^\s*((?:[+-]?[\d.][\d.eE+-]*\s+){1,4})([a-z][a-z \t]*?)\s*$/;
const BOX = ['xlo xhi', 'ylo yhi', 'zlo zhi', 'xy xz yz'];

/** Text before a comment. */
export const uncommented = (text: string): string => {
  const at = text.indexOf('#');
  return at < 0 ? text : text.slice(0, at);
};

/**
 * The parts of a data file: a head, then sections that begin with their name on a line of its own.
 *
 *   title │ counts and box │ Masses … │ Atoms # style … │ Velocities … │ Bonds … │ Pair Coeffs … …
 */
export class DataSections {
  readonly source: TextSource;
  readonly head: DataHead;
  /** The line with the name of the section to come; null at the end. */
  #heading: string | null;

  private constructor(source: TextSource, head: DataHead, heading: string | null) {
    this.source = source;
    this.head = head;
    this.#heading = heading;
  }

  /** Reads title and head. @throws CorpuscleError FILE_FORMAT */
  static async open(source: TextSource): Promise<DataSections> {
    const counts = new Map<string, number>();
    const box = new Map<string, readonly number[]>();
    await source.next();
    for (;;) {
      const text = await source.next();
      const line = text === null ? null : uncommented(text);
      if (line !== null && line.trim() === '') continue;
      const match = line === null ? null : HEAD.exec(line);
      if (!match) return new DataSections(source, { counts, box }, text);
      const numbers = match[1]!.trim().split(/\s+/).map(Number);
      const what = match[2]!.replace(/\s+/g, ' ');
      if (!numbers.every(Number.isFinite)) failAt(source, text!, 1, `${what} needs numbers`);
      if (BOX.includes(what)) {
        if (numbers.length !== what.split(' ').length)
          failAt(source, text!, 1, `${what} needs ${what.split(' ').length} numbers`);
        box.set(what, numbers);
      } else {
        const [count] = numbers;
        if (numbers.length !== 1 || !Number.isSafeInteger(count) || count! < 0)
          failAt(source, text!, 1, `${what} needs a whole number`);
        counts.set(what, count!);
      }
    }
  }

  /** The name of the next section and its comment; null at the end. Lines of the section before are skipped. */
  async next(): Promise<{ readonly name: string; readonly comment: string } | null> {
    while (this.#heading !== null && !/^\s*[A-Z]/.test(this.#heading))
      this.#heading = await this.source.next();
    if (this.#heading === null) return null;
    const heading = this.#heading;
    const name = uncommented(heading).trim().replace(/\s+/g, ' ');
    this.#heading = await this.source.next();
    return { name, comment: heading.slice(uncommented(heading).length + 1).trim() };
  }

  /** Calls `take` with each of the `count` lines of a section; empty lines are no lines. */
  async lines(count: number, name: string, take: (text: string, index: number) => void) {
    let index = 0;
    while (index < count) {
      const text = this.#heading;
      if (text === null || /^\s*[A-Z]/.test(text))
        throw new CorpuscleError(
          'FILE_FORMAT',
          `the section ${name} ends after ${index} of the ${count} lines that were announced`,
          { location: { file: this.source.file, line: this.source.line, column: 1 } },
        );
      if (uncommented(text).trim() !== '') take(text, index++);
      const next = this.source.take();
      this.#heading = next === undefined ? await this.source.next() : next;
    }
  }
}
