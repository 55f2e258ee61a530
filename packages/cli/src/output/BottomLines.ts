import type { Streams } from '../Streams.js';

/** Lines at the bottom of a terminal that are drawn again and again; other output goes above them. */
export class BottomLines {
  readonly #streams: Streams;
  #shown = 0;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Draws lines in place of those that are there; what is too wide for the terminal is cut. */
  draw(lines: readonly string[]): void {
    const width = (this.#streams.columns || 80) - 1; // some terminals say 0
    this.clear();
    this.#streams.err(lines.map((line) => `\r\x1b[K${line.slice(0, width)}`).join('\n'));
    this.#shown = lines.length;
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#shown > 0) this.#streams.err(`\r\x1b[K${'\x1b[A\x1b[K'.repeat(this.#shown - 1)}`);
    this.#shown = 0;
  }
}
