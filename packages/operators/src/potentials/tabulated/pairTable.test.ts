import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CubicSpline } from './CubicSpline.js';
import { readPairTable } from './readPairTable.js';
import { resamplePairTable } from './resamplePairTable.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-table-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'pair.table');
const read = (text: string, keyword = 'X', units?: { length: number; energy: number }) => {
  writeFileSync(file, text);
  return readPairTable(file, keyword, units);
};
const good =
  '# a comment\n\nOTHER\nN 2 R 1 2\n\n1 1 1 1\n2 2 2 2\n\nX\nN 3 # trailing\n\n1 1.0 9 6\n2 1.5 4 4\n3 2.0 1 2\n';

describe('CubicSpline', () => {
  it('is exact for a cubic with its own slopes', () => {
    const y = (x: number) => x ** 3 - 2 * x ** 2 + 3;
    const x = [0.5, 0.9, 1.7, 2];
    const spline = new CubicSpline(x, x.map(y), [3 * 0.25 - 2, 12 - 8]);
    for (const t of [0.5, 0.6, 1, 1.69, 2]) expect(spline.at(t)).toBeCloseTo(y(t), 13);
    expect(spline.curvature[1]).toBeCloseTo(6 * 0.9 - 4, 12);
  });
});

describe('readPairTable', () => {
  it('finds the section and skips comments', () => {
    const table = read(good);
    expect(table).toMatchObject({
      r: [1, 1.5, 2],
      energy: [9, 4, 1],
      force: [6, 4, 2],
      slopes: null,
    });
  });

  it('spaces by R and RSQ, whatever the lines say', () => {
    const rows = '\n1 0 0 0\n2 0 0 0\n3 0 0 0\n';
    expect(read(`X\nN 3 R 1 2\n${rows}`).r).toEqual([1, 1.5, 2]);
    expect(read(`X\nN 3 RSQ 1 2 FPRIME -1 -2\n${rows}`)).toMatchObject({
      r: [1, Math.sqrt(2.5), 2],
      slopes: [-1, -2],
      inSquares: true,
    });
  });

  it('converts from the units of the user', () => {
    const table = read(good, 'X', { length: 2, energy: 10 });
    expect(table).toMatchObject({ r: [2, 3, 4], energy: [90, 40, 10], force: [30, 20, 10] });
  });

  it.each([
    ['an unknown name', good, 'Y', /no table 'Y' \(there are: OTHER, X\)/, 14],
    ['too few lines', 'X\nN 3\n\n1 1 1 1\n2 2 2 2\n', 'X', /has 2 of 3 lines/, 5],
    [
      'text among numbers',
      'X\nN 2\n\n1 1 1 1\n2 2 two 2\n',
      'X',
      /number, distance, energy, force/,
      5,
    ],
    ['falling distances', 'X\nN 2\n\n1 2 1 1\n2 1 2 2\n', 'X', /distance 1 is not above/, 5],
    ['a parameter line without N', 'X\nR 1 2\n', 'X', /must say N/, 2],
    ['an unknown parameter', 'X\nN 2 BITMAP 1 2\n', 'X', /'BITMAP' is not known/, 2],
  ])('refuses %s', (_, text, keyword, message, line) => {
    expect(() => read(text, keyword)).toThrow(
      expect.objectContaining({
        code: 'FILE_FORMAT',
        message: expect.stringMatching(message),
        location: expect.objectContaining({ line }),
      }),
    );
  });

  it('names a file that is not there', () => {
    expect(() => readPairTable(join(folder, 'none'), 'X')).toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
    );
  });
});

describe('resamplePairTable', () => {
  it('refuses a cutoff outside of the table', () => {
    const table = read(good);
    for (const rcut of [1, 2.1])
      expect(() => resamplePairTable(table, rcut, 10, 'linear')).toThrow(/reaches from 1 to 2/);
  });

  it('shifts energy, or force and energy, to 0 at the cutoff', () => {
    const table = read(good);
    const none = resamplePairTable(table, 2, 10, 'spline');
    const energy = resamplePairTable(table, 2, 10, 'spline', { shift: 'energy' });
    const force = resamplePairTable(table, 2, 10, 'spline', { shift: 'force' });
    expect(none.u[9]).toBe(1);
    expect(energy.u[9]).toBeCloseTo(0, 13);
    expect(energy.f[9]).toBeCloseTo(1, 13);
    expect([force.u[9], force.f[9]].every((x) => Math.abs(x!) < 1e-13)).toBe(true);
  });
});
