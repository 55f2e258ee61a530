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
 * particle at a face of the box may be at either side: its position, the first three numbers of a line, may differ by a box.
 */
export function distancesOf(text: string, known: string): number[] {
  const lines = text.split('\n');
  const knownLines = known.split('\n');
  expect(lines).toHaveLength(knownLines.length);
  const edges = (/Lattice="([^"]+)"/.exec(known)?.[1] ?? '').split(' ').map(Number);
  return lines.flatMap((line, k) => {
    const expected = numbersOf(knownLines[k]!);
    const numbers = numbersOf(line);
    expect(numbers).toHaveLength(expected.length);
    const isParticle = /^[A-Z]\w* /.test(line) && !line.includes('=');
    return numbers.map((number, n) => {
      const apart = Math.abs(number - expected[n]!);
      const edge = (isParticle && n < 3 ? edges[4 * n] : undefined) ?? Number.POSITIVE_INFINITY;
      return Math.min(apart, Math.abs(apart - edge)) / Math.max(1, Math.abs(expected[n]!));
    });
  });
}
