/** A value of a comment line. */
export interface HeaderEntry {
  readonly value: string;
  /** Column of the value, from 1. */
  readonly column: number;
}

const isBlank = (code: number) => code <= 32 || code === 160;

/**
 * The `key=value` pairs of a comment line; values may stand in quotes or braces. What is no pair is skipped.
 * Every character is looked at a fixed number of times, so that a line of any content takes time in proportion to its length.
 *
 * @example
 * headerEntries('Lattice="4 0 0 0 4 0 0 0 4" step=3').get('step'); // { value: '3', column: 34 }
 */
export function headerEntries(text: string): Map<string, HeaderEntry> {
  const entries = new Map<string, HeaderEntry>();
  const lastBrace = text.lastIndexOf('}');
  let at = 0;
  for (let sign = text.indexOf('='); sign >= 0; sign = text.indexOf('=', at)) {
    let end = sign;
    while (end > at && isBlank(text.charCodeAt(end - 1))) end--;
    let start = end;
    while (start > at && !isBlank(text.charCodeAt(start - 1))) start--;
    at = sign + 1;
    if (start === end) continue;
    const key = text.slice(start, end);
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    const close = closing(text, at, lastBrace);
    if (close >= 0) {
      entries.set(key, { value: text.slice(at + 1, close), column: at + 2 });
      at = close + 1;
      continue;
    }
    const from = at;
    while (at < text.length && !isBlank(text.charCodeAt(at)) && text[at] !== '"') at++;
    entries.set(key, { value: text.slice(from, at), column: from + 1 });
  }
  return entries;
}

/** Where the quote or brace that opens at `at` closes; −1 when none opens, or it stays open. */
function closing(text: string, at: number, lastBrace: number): number {
  if (text[at] === '{') return at < lastBrace ? text.indexOf('}', at) : -1;
  if (text[at] !== '"') return -1;
  for (let k = at + 1; k < text.length; k++) {
    if (text[k] === '\\') k++;
    else if (text[k] === '"') return k;
  }
  return -1;
}
