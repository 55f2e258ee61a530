import { failAt } from '../../io/failAt.js';
import { LineReader } from '../../io/LineReader.js';
import type { TableUnits } from '../tabulated/readPairTable.js';
import type { StillingerWeberEntry } from './stillingerWeberForce.js';

const NUMBERS = 11;

/**
 * Reads a file in the format of LAMMPS's `pair_style sw`: three elements and eleven numbers an entry, on one line or several.
 *
 *   element 1 (the corner)  element 2  element 3  epsilon sigma a lambda gamma costheta0 A B p q tol
 *
 * @param elements the element of each particle type; entries of other elements are left out
 * @returns one entry for every triplet of types that the file has
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT at the line.
 * @example
 * const triplets = readStillingerWeber('Si.sw', { Si: 'Si' });
 */
export function readStillingerWeber(
  file: string,
  elements: Readonly<Record<string, string>>,
  { length, energy }: TableUnits = { length: 1, energy: 1 },
): StillingerWeberEntry[] {
  const reader = new LineReader(file);
  const entries: StillingerWeberEntry[] = [];
  let words: string[] = [];
  let text = '';
  try {
    for (let line = reader.next(); line !== null; line = reader.next()) {
      text = line;
      words = words.concat(line.replace(/#.*/, '').trim().split(/\s+/).filter(Boolean));
      if (words.length < 3 + NUMBERS) continue;
      const numbers = words.slice(3).map(Number);
      if (numbers.length > NUMBERS || !numbers.every(Number.isFinite))
        failAt(reader, text, 1, 'an entry has three elements and eleven numbers after them');
      entries.push(...entriesOf(words.slice(0, 3), numbers, elements, length, energy));
      words = [];
    }
    if (words.length > 0)
      failAt(reader, text, 1, `the last entry has ${words.length} words: it needs ${3 + NUMBERS}`);
    return entries;
  } finally {
    reader.close();
  }
}

/** Several types may stand for one element. */
function entriesOf(
  names: readonly string[],
  numbers: readonly number[],
  elements: Readonly<Record<string, string>>,
  length: number,
  energy: number,
): StillingerWeberEntry[] {
  const [epsilon, sigma, a, lambda, gamma, cosTheta0, A, B, p, q, tol] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const own = { a, lambda, gamma, cosTheta0, A, B, p, q, tol };
  const typesOf = (name: string) => Object.keys(elements).filter((type) => elements[type] === name);
  const [first, second, third] = names.map(typesOf) as [string[], string[], string[]];
  return first.flatMap((i) =>
    second.flatMap((j) =>
      third.map((k) => ({
        types: [i, j, k] as const,
        epsilon: epsilon * energy,
        sigma: sigma * length,
        ...own,
      })),
    ),
  );
}
