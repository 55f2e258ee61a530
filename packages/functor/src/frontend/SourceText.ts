import type { Node } from 'acorn';
import { CorpuscleError, type ErrorCode, type SourceLocation } from '../error/CorpuscleError.js';

/** A range of function text, in characters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type FunctorCode = Extract<ErrorCode, `FUNCTOR_${string}`>;

/** The text of one user function, and the one way in which the compiler complains about it. */
export class SourceText {
  /** Characters put before the text to parse it as an expression. */
  readonly #offset: number;

  constructor(
    /** `functor 'lj'` or `helper 'cube' of functor 'lj'`. */
    readonly owner: string,
    readonly site: SourceLocation,
    readonly text: string,
    offset: number,
  ) {
    this.#offset = offset;
  }

  /** The user's own words for a node. */
  quote(node: Span): string {
    return this.text.slice(node.start - this.#offset, node.end - this.#offset);
  }

  /** Throws: what is wrong, then what to do, then the line with a caret. */
  fail(code: FunctorCode, node: Span | Node, problem: string, remedy: string): never {
    const frame = this.frame(node);
    const { file, line, column } = this.site;
    throw new CorpuscleError(
      code,
      `${this.owner} (defined at ${file}:${line}:${column}): ${problem}; ${remedy}\n${frame}`,
      { location: { ...this.site, frame } },
    );
  }

  /** The line of a node with its neighbors and a caret. Lines count from the first of the function. */
  frame(node: Span): string {
    const start = Math.max(0, Math.min(node.start - this.#offset, this.text.length));
    const end = Math.max(start, node.end - this.#offset);
    const before = this.text.slice(0, start).split('\n');
    const lines = this.text.split('\n');
    const row = before.length - 1;
    const column = before[row]!.length;
    const length = Math.max(1, Math.min(end - start, lines[row]!.length - column));
    const first = Math.max(0, row - 1);
    const last = Math.min(lines.length, row + 2);
    const width = String(last).length;
    const shown: string[] = [];
    for (let k = first; k < last; k++) {
      const [text, shift] = clip(lines[k]!, k === row ? column : 0);
      shown.push(`${k === row ? '>' : ' '} ${String(k + 1).padStart(width)} | ${text}`);
      if (k !== row) continue;
      const room = Math.max(1, Math.min(length, 120 - (column - shift)));
      shown.push(`  ${' '.repeat(width)} | ${' '.repeat(column - shift)}${'^'.repeat(room)}`);
    }
    return shown.join('\n');
  }
}

/** Minified functions are one line of thousands of characters: shows the part around the column. */
function clip(line: string, column: number): [text: string, shift: number] {
  if (line.length <= 160) return [line, 0];
  const shift = Math.max(0, column - 60);
  return [line.slice(shift, shift + 120), shift];
}
