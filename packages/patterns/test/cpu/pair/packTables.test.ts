import { expect, it } from 'vitest';
import { packTables } from '../../../src/cpu/pair/packTables.js';

const table = (name: string) => ({ name, type: 'real', table: true }) as const;
const packed = (lengths: Readonly<Record<string, number>>) =>
  packTables(
    Object.keys(lengths).map(table),
    Object.fromEntries(Object.entries(lengths).map(([name, n]) => [name, new Float64Array(n)])),
  ).map((parameter) => parameter.packed ?? null);

it('tables of the same length share rows, up to 256 of them', () => {
  const rows = { group: 'a', shift: 1 };
  expect(packed({ a: 256, b: 256 })).toEqual([
    { ...rows, column: 0 },
    { ...rows, column: 1 },
  ]);
  expect(packed({ a: 257, b: 257 })).toEqual([null, null]);
  expect(packed({ a: 4, b: 5, c: 4 })).toEqual([
    { ...rows, column: 0 },
    null,
    { ...rows, column: 1 },
  ]);
});
