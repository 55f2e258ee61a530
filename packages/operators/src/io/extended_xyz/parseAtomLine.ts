import { failAt as fail } from '../failAt.js';
import type { LineReader } from '../LineReader.js';
import type { FrameColumns } from './frameColumns.js';

/**
 * Puts the words of an atom line where the columns say.
 * @param strict whether words after the last column are an error (extended xyz) or ignored (plain xyz).
 * @throws CorpuscleError FILE_FORMAT at the word that is wrong.
 */
export function parseAtomLine(
  reader: LineReader,
  text: string,
  particle: number,
  columns: FrameColumns,
  strict: boolean,
  setSpecies: (word: string, column: number) => void,
): void {
  const { targets } = columns;
  const { length } = text;
  let at = 0;
  for (let c = 0; c < targets.length; c++) {
    while (at < length && text.charCodeAt(at) <= 32) at++;
    const start = at;
    while (at < length && text.charCodeAt(at) > 32) at++;
    if (start === at)
      fail(reader, text, length + 1, `this line has ${c} columns and needs ${targets.length}`);
    const target = targets[c]!;
    if (target.kind === 'skip') continue;
    const word = text.slice(start, at);
    if (target.kind === 'number') {
      const value = Number(word);
      // Number() also reads 0x10 and the like, which are no numbers in an xyz file.
      const second = text.charCodeAt(start + 1) | 32;
      const prefixed = at - start > 2 && (second === 120 || second === 98 || second === 111);
      if (!Number.isFinite(value) || prefixed) {
        if (/^[+-]?(nan|inf(inity)?)$/i.test(word) || (!Number.isNaN(value) && !prefixed))
          fail(reader, text, start + 1, `${target.label} is ${word}: it must be finite`);
        fail(reader, text, start + 1, `${target.label} needs a number, not '${word}'`);
      }
      if (target.whole && !(Number.isSafeInteger(value) && value >= 0))
        fail(reader, text, start + 1, `${target.label} needs a whole number from 0, not '${word}'`);
      target.values[particle * target.stride + target.offset] = value;
    } else if (target.kind === 'species') setSpecies(word, start + 1);
    else target.values[particle * target.stride + target.offset] = word;
  }
  if (!strict) return;
  while (at < length && text.charCodeAt(at) <= 32) at++;
  if (at < length)
    fail(
      reader,
      text,
      at + 1,
      `this line has more columns than the ${targets.length} of Properties`,
    );
}
