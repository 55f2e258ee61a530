import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Table } from '@corpuscle/app/session';

/** Rows that are plotted at most: of longer tables every other row is left out, as often as it takes. */
const ROWS = 2000;

/** The rows of a table of numbers that a run appends to, read as they come. */
export class TableTail {
  readonly #file: string;
  readonly #name: string;
  #read = 0;
  #rest = '';
  #columns: readonly string[] = [];
  #rows: number[][] = [];
  #count = 0;
  #stride = 1;

  constructor(file: string, name: string) {
    this.#file = file;
    this.#name = name;
  }

  /** Reads what has been appended. @returns whether there is more than before */
  update(): boolean {
    const descriptor = openSync(this.#file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size < this.#read) this.#forget();
      const bytes = Buffer.alloc(size - this.#read);
      if (bytes.length === 0) return false;
      this.#read += readSync(descriptor, bytes, 0, bytes.length, this.#read);
      const lines = (this.#rest + bytes.toString('latin1')).split('\n');
      this.#rest = lines.pop()!;
      for (const line of lines)
        if (line !== '' && !line.startsWith('#')) this.#add(line.split(','));
      return lines.length > 0;
    } finally {
      closeSync(descriptor);
    }
  }

  /** The table so far; null before its first row, and for other text. */
  get table(): Table | null {
    const columns = this.#columns;
    if (columns.length < 2 || this.#rows.length === 0) return null;
    const data = columns.map((_, k) => this.#rows.map((row) => row[k] ?? Number.NaN));
    return { name: this.#name, columns, data };
  }

  /** Another file has taken its place. */
  #forget(): void {
    this.#read = this.#count = 0;
    this.#stride = 1;
    this.#rest = '';
    this.#columns = this.#rows = [];
  }

  #add(words: readonly string[]): void {
    if (this.#columns.length === 0) {
      this.#columns = words;
      return;
    }
    if (this.#count++ % this.#stride !== 0) return;
    this.#rows.push(words.map(Number));
    if (this.#rows.length <= ROWS) return;
    this.#rows = this.#rows.filter((_, k) => k % 2 === 0);
    this.#stride *= 2;
  }
}
