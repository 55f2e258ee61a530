import { CorpuscleError, type ErrorCode, type SourceLocation } from '@corpuscle/functor/error';

/** Where a text comes from: the user's file, an option of the command line, or a default document. */
export type SourceKind = 'file' | 'option' | 'default';

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
    let line = 0;
    while (line + 1 < starts.length && starts[line + 1]! <= start) line++;
    const lineStart = starts[line]!;
    const newline = this.text.indexOf('\n', lineStart);
    const shown = this.text.slice(lineStart, newline < 0 ? undefined : newline).replace(/\r$/, '');
    const column = start - lineStart;
    // Tabs stay tabs below their likes, so that the caret stands right at any tab width.
    const indent = shown.slice(0, column).replace(/[^\t]/g, ' ').padEnd(column);
    const width = Math.max(1, Math.min(end, lineStart + shown.length) - start);
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
