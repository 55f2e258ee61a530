import { failAt } from '../../io/failAt.js';
import type { LineReader } from '../../io/LineReader.js';

/** Lines of a section that are read without a look at the size of the file: where it ends says more. */
const SMALL = 10_000;

/** One section of a pair table file: energies and forces (−u′) at ascending distances. */
export interface PairTableSection {
  readonly r: readonly number[];
  readonly energy: readonly number[];
  readonly force: readonly number[];
  /** Derivatives of the force at both ends (`FPRIME`), if the file gives them. */
  readonly slopes: readonly [number, number] | null;
  /** Distances are equally spaced in r² (`RSQ`). */
  readonly inSquares: boolean;
}

/**
 * Reads a section of a file in the format of LAMMPS's `pair_style table`:
 *
 *   # comment
 *   KEYWORD
 *   N 500 [R lo hi | RSQ lo hi] [FPRIME slope_lo slope_hi]
 *
 *   1 r energy force
 *   …
 *
 * With R or RSQ the distances follow from their number, equally spaced in r or r²; those of the lines are not used.
 *
 * @throws CorpuscleError FILE_FORMAT at the line.
 */
export function parsePairTable(reader: LineReader, keyword: string): PairTableSection {
  const found: string[] = [];
  let last = '';
  const next = (): string[] | null => {
    for (let line = reader.next(); line !== null; line = reader.next()) {
      last = line;
      const words = line.replace(/#.*/, '').trim();
      if (words !== '') return words.split(/\s+/);
    }
    return null;
  };
  const fail = (message: string): never => failAt(reader, last, 1, message);

  for (let head = next(); head; head = next()) {
    found.push(head[0]!);
    const parameters = parseParameters(next() ?? [], fail);
    // Four numbers and their separators are the least a line can have.
    if (8 * parameters.count > reader.bytes + 1 && parameters.count > SMALL)
      fail(
        `the file is too short (${reader.bytes} bytes) for a table of ${parameters.count} lines`,
      );
    if (head[0] !== keyword) {
      for (let k = 0; k < parameters.count; k++) if (next() === null) break;
      continue;
    }
    const r: number[] = [];
    const energy: number[] = [];
    const force: number[] = [];
    for (let k = 0; k < parameters.count; k++) {
      const words = next() ?? fail(`the table '${keyword}' has ${k} of ${parameters.count} lines`);
      const row = words.map(Number);
      if (row.length < 4 || !row.every(Number.isFinite))
        fail('a line of a pair table is: number, distance, energy, force');
      const at = distance(parameters, k) ?? row[1]!;
      if (!(at > (r[k - 1] ?? 0)))
        fail(`distance ${at} is not above the one before: sort the table`);
      r.push(at);
      energy.push(row[2]!);
      force.push(row[3]!);
    }
    const { slopes, spacing } = parameters;
    return { r, energy, force, slopes, inSquares: spacing === 'RSQ' };
  }
  const names = found.length > 16 ? [...found.slice(0, 16), '…'] : found;
  return fail(`there is no table '${keyword}' (there are: ${names.join(', ') || 'none'})`);
}

interface Parameters {
  readonly count: number;
  readonly spacing: 'R' | 'RSQ' | null;
  readonly bounds: readonly [number, number];
  readonly slopes: readonly [number, number] | null;
}

function parseParameters(words: readonly string[], fail: (message: string) => never): Parameters {
  let count = 0;
  let spacing: 'R' | 'RSQ' | null = null;
  let bounds: readonly [number, number] = [0, 0];
  let slopes: readonly [number, number] | null = null;
  for (let k = 0; k < words.length; ) {
    const word = words[k++]!;
    const number = () => {
      const value = Number(words[k++]);
      return Number.isFinite(value)
        ? value
        : fail(`'${word}' needs ${word === 'N' ? 'a number' : 'two numbers'} after it`);
    };
    if (word === 'N') count = number();
    else if (word === 'R' || word === 'RSQ') {
      spacing = word;
      bounds = [number(), number()];
    } else if (word === 'FPRIME' || word === 'FP') slopes = [number(), number()];
    else fail(`'${word}' is not known in the parameters of a table: use N, R, RSQ or FPRIME`);
  }
  if (!(Number.isInteger(count) && count >= 2))
    fail('the line after the name of a table must say N and a number of lines, 2 or more');
  return { count, spacing, bounds, slopes };
}

function distance({ spacing, bounds: [low, high], count }: Parameters, k: number): number | null {
  if (spacing === null) return null;
  if (spacing === 'R') return low + ((high - low) * k) / (count - 1);
  return Math.sqrt(low * low + ((high * high - low * low) * k) / (count - 1));
}
