import { failAt } from '../io/failAt.js';
import { LineReader } from '../io/LineReader.js';
import type { Bond } from './Bonds.js';

/**
 * Reads bonds from a text file: two ids a line, and perhaps the kind of the bond after them, from 1. What follows # is
 * a comment.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT at the line.
 */
export function readBonds(file: string): Bond[] {
  const reader = new LineReader(file);
  const bonds: Bond[] = [];
  try {
    for (let line = reader.next(); line !== null; line = reader.next()) {
      const words = line.replace(/#.*/, '').trim().split(/\s+/).filter(Boolean);
      if (words.length === 0) continue;
      const [a, b, kind = 1] = words.map(Number);
      const whole = words.every((word) => /^\d+$/.test(word));
      if (!whole || words.length < 2 || words.length > 3 || kind < 1)
        failAt(reader, line, 1, 'a bond is two ids, and perhaps its kind, from 1, after them');
      bonds.push({ ids: [a!, b!], kind: kind - 1 });
    }
    return bonds;
  } finally {
    reader.close();
  }
}
