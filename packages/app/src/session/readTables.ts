import { files } from '@corpuscle/core/files';
import type { Table } from './messages.js';

/** Rows that are plotted at most: of longer tables every other row is left out, as often as it takes. */
const ROWS = 2000;

/** The tables among files: text with commas, a head of names, and numbers. */
export function readTables(names: readonly string[]): Table[] {
  return names
    .filter((name) => name.endsWith('.csv'))
    .flatMap((name) => {
      const table = parseTable(name, new TextDecoder().decode(files.read(name)));
      return table ? [table] : [];
    });
}

/** A table from its text; null if the text is no table, or has no row yet. */
function parseTable(name: string, text: string): Table | null {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('#'));
  const columns = lines.shift()?.split(',') ?? [];
  if (columns.length < 2 || lines.length === 0) return null;
  let stride = 1;
  while (lines.length / stride > ROWS) stride *= 2;
  const kept = lines.filter((_, k) => k % stride === 0 || k === lines.length - 1);
  const rows = kept.map((line) => line.split(',').map(Number));
  return { name, columns, data: columns.map((_, k) => rows.map((row) => row[k] ?? Number.NaN)) };
}
