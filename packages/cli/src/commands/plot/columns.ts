import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type { Table } from './readTable.js';

/** The values of a column. @throws CorpuscleError INVALID_VALUE where there is none of that name. */
export function column({ file, names, rows }: Table, name: string, option: string): number[] {
  const k = names.indexOf(name);
  if (k >= 0) return rows.map((row) => row[k]!);
  const all = `it has ${names.join(', ')}`;
  const message = `${option} ${name}: ${file} has no such column${didYouMean(name, names, all)}`;
  throw new CorpuscleError('INVALID_VALUE', message);
}

/** What a table is drawn over where nothing is said: its time, or else its first column. */
export const defaultX = ({ names }: Table): string =>
  names.slice(0, 2).find((name) => name === 'time') ?? names[0]!;

/** What is drawn where nothing is said: the first column that is no axis and no error. */
export const defaultY = ({ names }: Table, x: string): string =>
  names.find((name) => name !== x && name !== 'step' && name !== 'time' && !isError(name)) ??
  names[1]!;

/** The standard errors of a column, where the table has them: `e_name`, `name_error`, or `error` of the first column that is drawn. */
export function errorsOf(table: Table, name: string): number[] | undefined {
  const found = [`e_${name}`, `${name}_error`].find((error) => table.names.includes(error));
  if (found !== undefined) return column(table, found, '--y');
  const isFirst = name === defaultY(table, defaultX(table));
  return isFirst && table.names.includes('error') ? column(table, 'error', '--y') : undefined;
}

const isError = (name: string): boolean =>
  name === 'error' || name.startsWith('e_') || name.endsWith('_error');
