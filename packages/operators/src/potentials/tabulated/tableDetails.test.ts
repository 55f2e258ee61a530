import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPairTable } from './readPairTable.js';
import { resamplePairTable } from './resamplePairTable.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-table-details-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'pair.table');
const read = (text: string, units?: { length: number; energy: number }) => {
  writeFileSync(file, text);
  return readPairTable(file, 'X', units);
};

/** u = 1/r⁴ at `n` points equally spaced in r², with exact slopes of the force at both ends. */
const energy = (r: number) => r ** -4;
const force = (r: number) => 4 * r ** -5;
function squares(n: number, lower: number, upper: number): string {
  const rows = Array.from({ length: n }, (_, k) => {
    const r = Math.sqrt(lower ** 2 + ((upper ** 2 - lower ** 2) * k) / (n - 1));
    return `${k + 1} ${r} ${energy(r)} ${force(r)}`;
  });
  const slopes = [lower, upper].map((r) => -20 * r ** -6);
  return `X\nN ${n} RSQ ${lower} ${upper} FPRIME ${slopes.join(' ')}\n\n${rows.join('\n')}\n`;
}

it('converts the slopes of the force at both ends: energy over length squared', () => {
  const [length, units] = [2, { length: 2, energy: 10 }];
  const { slopes, r, force: forces } = read(squares(201, 1, 2), units);
  expect(slopes![0]).toBeCloseTo((-20 * 10) / length ** 2, 12);
  expect(slopes![1]).toBeCloseTo((-20 * 2 ** -6 * 10) / length ** 2, 12);
  // The slope of the converted forces themselves, by differences.
  const chord = (forces[1]! - forces[0]!) / (r[1]! - r[0]!);
  expect(Math.abs(slopes![0] / chord - 1)).toBeLessThan(0.03);
});

describe('a linear table of as many points as its section', () => {
  const section = read(squares(400, 1, 2));

  it('takes the section as it stands where it reaches to the cutoff', () => {
    const table = resamplePairTable(section, 2, 400, 'linear');
    expect([...table.u]).toEqual(section.energy);
  });

  it('is read off again at a shorter cutoff, where its distances are others', () => {
    const rcut = 1.6;
    const table = resamplePairTable(section, rcut, 400, 'linear');
    expect(table.spacing).toBeCloseTo((rcut ** 2 - 1) / 399, 14);
    for (const k of [0, 1, 17, 200, 398, 399]) {
      const r = Math.sqrt(1 + k * table.spacing);
      expect(table.u[k]! / energy(r)).toBeCloseTo(1, 7);
      expect(table.f[k]! / (force(r) / r)).toBeCloseTo(1, 7);
    }
  });
});
