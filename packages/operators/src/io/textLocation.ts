import type { SourceLocation } from '@corpuscle/core';

const WIDTH = 100;

/** A location with a caret under `column` (from 1); long lines are cut around the caret. Line 0 is before the first: there is none. */
export function textLocation(
  file: string,
  line: number,
  column: number,
  text: string,
): SourceLocation {
  const from = Math.max(0, column - 1 - WIDTH / 2);
  const shown = text.slice(from, from + WIDTH).replaceAll('\t', ' ');
  const number = `${Math.max(1, line)}`;
  const blank = ' '.repeat(number.length);
  const frame = `  ${number} | ${shown}\n  ${blank} | ${' '.repeat(column - 1 - from)}^`;
  return { file, line: Math.max(1, line), column, frame };
}
