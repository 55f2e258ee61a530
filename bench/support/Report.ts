import { describeLoad, describeMachine } from './machine.js';
import { appendResults, type Section } from './results.js';

/**
 * What a bench prints, and with `--write` also appends to RESULTS.md: a dated heading with the machine and its load at
 * start and end, then paragraphs and tables in the order in which they were added.
 */
export class Report {
  readonly #title: string;
  readonly #section: Section;
  readonly #machine = describeMachine();
  readonly #parts: string[] = [];

  constructor(title: string, section: Section = 'CPU') {
    this.#title = title;
    this.#section = section;
    console.log(`${title}\n${this.#machine}\n`);
  }

  /** Prints a paragraph or table, and keeps it for RESULTS.md. */
  add(text: string): void {
    console.log(`${text}\n`);
    this.#parts.push(text);
  }

  /** Ends the bench: writes what was added when asked to. */
  finish(write: boolean): void {
    const end = `${describeLoad()} at the end`;
    console.log(end);
    if (!write) return;
    const day = new Date().toISOString().slice(0, 10);
    const parts = [`### ${this.#title}, ${day}`, `${this.#machine}; ${end}.`, ...this.#parts];
    appendResults(this.#section, parts.join('\n\n'));
  }
}
