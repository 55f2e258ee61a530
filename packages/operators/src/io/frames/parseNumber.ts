import { type AtLine, failAt } from '../failAt.js';

/** A word of a text as a finite number. @throws CorpuscleError FILE_FORMAT at the word. */
export function parseNumber(source: AtLine, text: string, word: string, what: string): number {
  const value = Number(word);
  // Number() also reads 0x10 and the empty word, which are no numbers in files.
  if (Number.isFinite(value) && !/^[+-]?0[xbo]|^$/i.test(word)) return value;
  const why = /^[+-]?(nan|inf(inity)?)$/i.test(word) ? 'it must be finite' : 'a number is needed';
  return failAt(source, text, text.indexOf(word) + 1, `${what} is '${word}': ${why}`);
}

/** A word of a text as a whole number from `least`. @throws CorpuscleError FILE_FORMAT at the word. */
export function parseWhole(
  source: AtLine,
  text: string,
  word: string,
  what: string,
  least = 0,
): number {
  const value = Number(word);
  if (/^[+-]?\d+$/.test(word) && Number.isSafeInteger(value) && value >= least) return value;
  return failAt(
    source,
    text,
    text.indexOf(word) + 1,
    `${what} is '${word}': a whole number from ${least} is needed`,
  );
}
