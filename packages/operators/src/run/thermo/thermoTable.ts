import type { ThermoRow } from './thermoRow.js';

const COLUMNS = [
  ['step', 9, 0],
  ['time', 10, 4],
  ['temperature', 14, 8],
  ['potential_energy', 18, 10],
  ['kinetic_energy', 18, 10],
  ['total_energy', 18, 10],
  ['pressure', 14, 8],
] as const;

/** Head of the table that a person watches; the file has every column and every digit. */
export function thermoTableHeader(): string {
  return COLUMNS.map(([name, width]) => name.padStart(width)).join(' ');
}

/** One aligned line of the table. */
export function thermoTableRow(row: ThermoRow): string {
  let line = '';
  for (let k = 0; k < COLUMNS.length; k++) {
    const [name, width, digits] = COLUMNS[k]!;
    if (k > 0) line += ' ';
    line += format(row[name], digits).padStart(width);
  }
  return line;
}

function format(value: number, digits: number): string {
  if (digits === 0) return String(value);
  if (digits === 4) return String(Number(value.toPrecision(10)));
  return value.toPrecision(digits);
}
