import { describe, expect, it } from 'vitest';
import { type ThermoRow, thermoColumns, thermoLine } from './thermoRow.js';
import { thermoTableHeader, thermoTableRow } from './thermoTable.js';

const row: ThermoRow = {
  step: 1200,
  time: 6.000000000000001,
  temperature: 1 / 3,
  potential_energy: -4620000.25,
  kinetic_energy: 0.1 + 0.2,
  total_energy: -0,
  pressure: 1e-21,
  pxx: Number.MIN_VALUE,
  pyy: 1e21,
  pzz: -5,
  pxy: 2 ** -52,
  pxz: 0,
  pyz: Number.NaN,
};

describe('rows of the thermo table', () => {
  it('have every column and every digit in the file', () => {
    const line = thermoLine(row);
    const cells = line.split(',');
    expect(cells).toEqual(thermoColumns.map((name) => String(row[name])));
    expect(cells.map(Number)).toEqual(thermoColumns.map((name) => row[name] + 0));
    expect(line.startsWith('1200,6.000000000000001,0.3333333333333333,-4620000.25,')).toBe(true);
  });

  it('stand under their names', () => {
    const shown = [
      '     1200',
      '         6',
      '    0.33333333',
      '      -4620000.250',
      '      0.3000000000',
      '       0.000000000',
      ' 1.0000000e-21',
    ];
    expect(thermoTableRow(row)).toBe(shown.join(' '));
    expect(thermoTableHeader()).toHaveLength(thermoTableRow(row).length);
  });

  it('push what follows aside where a number is too long', () => {
    const wide = { ...row, step: 12345678901 };
    expect(thermoTableRow(wide).startsWith('12345678901          6 ')).toBe(true);
  });
});
