import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOf, textTable } from './textTable.js';

const expected = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
/** The texts of numbers, three in a line. */
const written = (values: readonly number[]): string[] => {
  const columns = [0, 1, 2].map((from) => ({ values, stride: 3, from }));
  const lines = textOf(textTable(columns, Math.floor(values.length / 3)));
  return lines.split(/[ \n]/).slice(0, -1);
};

it.each([
  ...[0, -0, 1, -1, 0.1, 0.5, 1500, 1e20, 1e21, 1e-6, 9.999e-7, 2 ** 53, 2 ** 53 + 2, 2 ** 60],
  ...[1 / 3, 123e-5, Number.NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 2 ** -19, 2 ** -20],
  ...[
    999999999999999900000,
    99999999,
    1e8,
    12345678901,
    1e16,
    123456789012345680,
    0.3e-5,
    1 - 2 ** -53,
  ],
])('writes %d as JavaScript does', (value) => {
  expect(written([value, 2, value])).toEqual([expected(value), '2', expected(value)]);
});

it('writes all kinds of numbers as JavaScript does', () => {
  const kinds = fc.oneof(
    fc.double(),
    fc.double({ min: -1e6, max: 1e6 }),
    fc.double({ min: -1, max: 1 }),
    fc.float(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 12 })).map(([n, k]) => n / 10 ** k),
    // Powers of two and their neighbors: the intervals around them are not symmetric.
    fc
      .tuple(fc.integer({ min: -22, max: 71 }), fc.integer({ min: -2, max: 2 }))
      .map(([k, n]) => 2 ** k * (1 + n * 2 ** -52)),
  );
  const same = fc.property(fc.array(kinds, { minLength: 30, maxLength: 30 }), (values) => {
    expect(written(values)).toEqual(values.map(expected));
  });
  fc.assert(same, { numRuns: 2000 });
});

it('gives rows in pieces, and tables beside each other', () => {
  const count = 40_000;
  const sevenths = Array.from({ length: count }, (_, k) => k / 7);
  const pieces = [...textTable([{ values: sevenths }], count)];
  expect(pieces.length).toBeGreaterThan(2);
  expect(textOf(pieces)).toBe(sevenths.map((value) => `${value}\n`).join(''));
  const one = textTable([{ values: [1, 2] }], 2);
  const other = textTable([{ values: [3, 4] }], 2);
  expect(one.next().value).toEqual(new Uint8Array([49, 10, 50, 10]));
  expect(textOf(other)).toBe('3\n4\n');
  expect(one.next().done).toBe(true);
});

it('takes rows in any order, with factors, and words of any length', () => {
  const names = ['Ar', 'ü', 'long'.repeat(30_000)];
  const columns = [
    { values: Uint32Array.of(2, 0, 1, 0), names },
    { values: Float32Array.of(0.5, 9, 1e30, 9, 1.5, 9, Number.NaN, 9), stride: 2, factor: 2 },
    { values: BigUint64Array.of(7n, 2n ** 53n - 1n, 2n ** 64n - 1n, 2n ** 53n) },
    { values: [1n, 2n ** 60n + 1n, 3n, 4n] },
  ];
  expect(textOf(textTable(columns, 4, [3, 2, 1, 0]))).toBe(
    `Ar NaN 9007199254740992 4
ü 3 18446744073709551615 3
Ar ${2 * Math.fround(1e30)} 9007199254740991 1152921504606846977
${names[2]} 1 7 1
`,
  );
  expect(() => textOf(textTable([{ values: [0, 3], names }], 2))).toThrow(
    /row 1 of a column of names has the place 3, and there are 3 names/,
  );
});
