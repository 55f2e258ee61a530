import { CorpuscleError, type ErrorCode, type SourceLocation } from '@corpuscle/functor/error';

/** Where a text comes from: the user's file, an option of the command line, or a default document. */
export type SourceKind = 'file' | 'option' | 'default';

/** Characters of a line that a message shows. */
const LONGEST = 400;

/** The last line that starts at or before a character, from 0. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text that values were read from, so that every value can say where it stands. */
export class SourceText {
  readonly kind: SourceKind;
  /** File name as the user gave it, or the option. */
  readonly name: string;
  readonly text: string;
  /** Folder that file names inside are relative to. */
  readonly directory: string;
  #lineStarts: number[] | null = null;

  constructor(kind: SourceKind, name: string, text: string, directory: string) {
    this.kind = kind;
    this.name = name;
    this.text = text;
    this.directory = directory;
  }

  /** Line, column and caret frame of the characters `start` … `end`−1. */
  locate(start: number, end: number = start): SourceLocation {
    const starts = this.#lines();
    const line = lineAt(starts, start);
    const lineStart = starts[line]!;
    const newline = this.text.indexOf('\n', lineStart);
    const column = start - lineStart;
    // Of a long line only what is around the place is shown.
    const from = Math.max(0, column - LONGEST / 2);
    const lineEnd = newline < 0 ? this.text.length : newline;
    const shown = this.text
      .slice(lineStart + from, Math.min(lineEnd, lineStart + from + LONGEST))
      .replace(/\r$/, '');
    // Tabs stay tabs below their likes, so that the caret stands right at any tab width.
    const indent = shown
      .slice(0, column - from)
      .replace(/[^\t]/g, ' ')
      .padEnd(column - from);
    const width = Math.max(1, Math.min(end, lineStart + from + shown.length) - start);
    const gutter = String(line + 1);
    return {
      file: this.name,
      line: line + 1,
      column: column + 1,
      frame: `  ${gutter} | ${shown}\n  ${' '.repeat(gutter.length)} | ${indent}${'^'.repeat(width)}`,
    };
  }

  /** An error at the characters `start` … `end`−1. */
  error(code: ErrorCode, message: string, start: number, end?: number): CorpuscleError {
    return new CorpuscleError(code, message, { location: this.locate(start, end) });
  }

  #lines(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    this.#lineStarts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
    return this.#lineStarts;
  }
}
