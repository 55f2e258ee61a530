import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextBuffer } from './TextBuffer.js';
import { textOf, textRows } from './textRows.js';

const text = new TextBuffer();
const written = (value: number): string => {
  text.number(value);
  return Buffer.from(text.take()).toString();
};
const expected = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

it.each([
  ...[0, -0, 1, -1, 0.1, 0.5, 1500, 1e20, 1e21, 1e-6, 9.999e-7, 2 ** 53, 2 ** 53 + 2, 2 ** 60],
  ...[1 / 3, 123e-5, Number.NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 2 ** -19, 2 ** -20],
  999999999999999900000,
])('writes %d as JavaScript does', (value) => {
  expect(written(value)).toBe(expected(value));
});

it('writes all kinds of numbers as JavaScript does', () => {
  const kinds = fc.oneof(
    fc.double(),
    fc.double({ min: -1e6, max: 1e6 }),
    fc.float(),
    fc.integer(),
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 12 })).map(([n, k]) => n / 10 ** k),
    // Powers of two and their neighbors: the intervals around them are not symmetric.
    fc
      .tuple(fc.integer({ min: -22, max: 71 }), fc.integer({ min: -2, max: 2 }))
      .map(([k, n]) => 2 ** k * (1 + n * 2 ** -52)),
  );
  const same = fc.property(kinds, (value) => written(value) === expected(value));
  fc.assert(same, { numRuns: 50_000 });
});

it('gives rows in pieces, and many at once', () => {
  const count = 40_000;
  const pieces = [...textRows(count, (row, k) => row.number(k / 7))];
  expect(pieces.length).toBeGreaterThan(2);
  const lines = Array.from({ length: count }, (_, k) => `${k / 7}\n`);
  expect(textOf(pieces)).toBe(lines.join(''));
  const both = [textRows(2, (row) => row.text('ü')), textRows(2, (row) => row.byte(65))];
  expect(both.map(textOf)).toEqual(['ü\nü\n', 'A\nA\n']);
});
