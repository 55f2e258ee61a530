import { expect } from 'vitest';

/** The numbers of a row by their names. */
export type Row = Readonly<Record<string, number>>;

/** The rows of a thermo table. */
export function rowsOf(table: string): Row[] {
  const [head, ...lines] = table.trim().split('\n');
  const names = head!.split(',');
  return lines.map((line) => {
    const numbers = line.split(',').map(Number);
    return Object.fromEntries(names.map((name, k) => [name, numbers[k]!]));
  });
}

/** The largest difference, relative to the size of what is summed: a pressure is the difference of large numbers. */
export function farthest(row: Row, known: Row): number {
  const names = Object.keys(known);
  const sizeOf = (pattern: RegExp) =>
    Math.max(
      1,
      ...names.filter((name) => pattern.test(name)).map((name) => Math.abs(known[name]!)),
    );
  const [energy, pressure] = [sizeOf(/_energy$/), sizeOf(/^p(ressure|[xyz]{2})$/)];
  return Math.max(
    ...names.map((name) => {
      const isPressure = /^p(ressure|[xyz]{2})$/.test(name);
      const size = /_energy$/.test(name)
        ? energy
        : isPressure
          ? pressure
          : sizeOf(RegExp(`^${name}$`));
      return Math.abs(row[name]! - known[name]!) / size;
    }),
  );
}

/** All numbers of a text in their order; what is between them is left out. */
export const numbersOf = (text: string): number[] =>
  text
    .split(/[^-+.\w]+/)
    .filter((word) => word !== '')
    .map(Number)
    .filter((number) => !Number.isNaN(number));

/**
 * How far the numbers of a text are from those of another, relative to these where they are above one. In frames of extended xyz a
 * particle at a face of the box may be at either side: its position, the first three numbers of a line, may differ by lattice vectors.
 */
export function distancesOf(text: string, known: string): number[] {
  const lines = text.split('\n');
  const knownLines = known.split('\n');
  expect(lines).toHaveLength(knownLines.length);
  let shifts = shiftsOf([]);
  return lines.flatMap((line, k) => {
    const lattice = /Lattice="([^"]+)"/.exec(knownLines[k]!)?.[1];
    if (lattice) shifts = shiftsOf(lattice.split(' ').map(Number));
    const expected = numbersOf(knownLines[k]!);
    const numbers = numbersOf(line);
    expect(numbers).toHaveLength(expected.length);
    const apart = numbers.map((number, n) => number - expected[n]!);
    const isParticle = /^[A-Z]\w* /.test(line) && !line.includes('=');
    if (isParticle) apart.splice(0, 3, ...nearestOf(apart.slice(0, 3), shifts));
    return apart.map((off, n) => Math.abs(off) / Math.max(1, Math.abs(expected[n]!)));
  });
}

/** Lattice vectors that a particle may have been brought back by, none first. */
function shiftsOf(lattice: readonly number[]): readonly (readonly number[])[] {
  const boxes = lattice.length === 9 ? [0, -1, 1] : [0];
  const along = (at: readonly number[]) =>
    [0, 1, 2].map((k) => at.reduce((sum, n, row) => sum + n * (lattice[3 * row + k] ?? 0), 0));
  return boxes.flatMap((a) => boxes.flatMap((b) => boxes.map((c) => along([a, b, c]))));
}

/** The smallest of the vectors that differ by one of these. */
function nearestOf(
  vector: readonly number[],
  shifts: readonly (readonly number[])[],
): readonly number[] {
  const length = (v: readonly number[]): number => Math.hypot(v[0]!, v[1]!, v[2]!);
  if (length(vector) < 1e-3) return vector;
  const all = shifts.map((shift) => vector.map((x, k) => x - shift[k]!));
  return all.reduce((best, one) => (length(one) < length(best) ? one : best));
}
