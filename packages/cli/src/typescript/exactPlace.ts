import { existsSync, readFileSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';

/** Of longer lines the part is shown that the compiler shows. */
const LONGEST = 160;

/** Lines around a mistake in a function, as the compiler shows them, with a caret below one of them. */
interface Frame {
  /** The first of these lines in the function, from 0. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The line of the caret among these, what it is below, and how long. */
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

function frameOf(text: string): Frame | null {
  const rows = text.split('\n');
  const shown = rows
    .map((row) => /^([> ]) +(\d+) \| (.*)$/.exec(row))
    .filter((one) => one !== null);
  const row = shown.findIndex(([, mark]) => mark === '>');
  const carets = rows.map((one) => /^( +\| )( *)(\^+)$/.exec(one)).find((one) => one !== null);
  if (row < 0 || !carets) return null;
  const lines = shown.map((one) => one[3]!);
  const first = Number(shown[0]![2]) - 1;
  return { first, lines, row, column: carets[2]!.length, length: carets[3]!.length };
}

/** The lines with the numbers that they have in a file. */
function textOf({ lines, row, column, length }: Frame, at: number): string {
  const width = String(at + lines.length).length;
  const shown = lines.map(
    (line, k) => `${k === row ? '>' : ' '} ${String(at + k + 1).padStart(width)} | ${line}`,
  );
  const below = `  ${' '.repeat(width)} | ${' '.repeat(column)}${'^'.repeat(length)}`;
  return [...shown.slice(0, row + 1), below, ...shown.slice(row + 1)].join('\n');
}

/** Where a line of a function is in that of its file: types that were left out are blanks. −1: it is another. */
function columnIn(fileLine: string, line: string, isFirst: boolean): number {
  const isSame = (at: number) => [...line].every((c, k) => c === ' ' || c === fileLine[at + k]);
  if (!isFirst) return isSame(0) ? 0 : -1;
  for (let at = 0; at < fileLine.length; at++) if (isSame(at)) return at;
  return -1;
}

/**
 * A mistake in a functor at its own place in the file of its author: the compiler sees the text of the function alone, and
 * knows where the functor was defined. Unchanged where that text is not in the file, such as after a compiler.
 */
export function exactPlace(error: CorpuscleError): CorpuscleError {
  const { file = '', line = 0, frame = '' } = error.location ?? {};
  const found = error.code.startsWith('FUNCTOR_') ? frameOf(frame) : null;
  if (!found || !existsSync(file)) return error;
  const all = readFileSync(file, 'utf8').split('\n');
  const { first, row, lines } = found;
  for (let at = line - 1; at + row < all.length; at++) {
    const columns = lines
      .slice(0, row + 1)
      .map((one, k) => columnIn(all[at + k]!, one, first + k === 0));
    if (columns.includes(-1)) continue;
    const column = found.column + columns[row]!;
    const whole = { ...found, lines: lines.map((_, k) => all[at + k] ?? ''), column };
    const isLong = whole.lines.some(({ length }) => length > LONGEST);
    const shown = textOf(isLong ? found : whole, at);
    const message = error.message
      .replace(/ \(defined at .*?:\d+:\d+\)/, '')
      .replace(frame, () => shown);
    const location = { file, line: at + row + 1, column: column + 1, frame: shown };
    return new CorpuscleError(error.code, message, { location, cause: error.cause });
  }
  return error;
}
