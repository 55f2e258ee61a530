import { readFileSync } from 'node:fs';
import { CorpuscleError, whyUnreadable } from '@corpuscle/core';
import { displayPath } from '../../output/formatError.js';

/** A table of numbers by column; the first column is what plots are drawn over. */
export interface Table {
  readonly file: string;
  readonly names: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/**
 * Reads a table as operators write it: CSV with a head of names, or lines of JSON or a list of records, of which numbers are columns.
 * @param onNote told of a last line that was torn, as by a kill, which is left out
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT
 */
export function readTable(file: string, onNote: (text: string) => void): Table {
  const name = displayPath(file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `cannot read the table '${name}': ${whyUnreadable(cause)}, check its name`;
    throw new CorpuscleError('FILE_NOT_FOUND', message, { cause });
  }
  const onTorn = () => onNote(`the last line of ${name} is torn: it is left out`);
  const read = /^\s*[[{]/.test(text) ? fromJson : fromCsv;
  const table = read(text, name, onTorn);
  if (table.rows.length > 0 && table.names.length > 1) return { file: name, ...table };
  const what = 'a plot needs two columns of numbers and a row';
  throw new CorpuscleError('FILE_FORMAT', `${name} has nothing to draw: ${what}`);
}

type Content = Omit<Table, 'file'>;

function fromCsv(text: string, file: string, onTorn: () => void): Content {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  const [head = '', ...rest] = lines;
  const names = head.split(',').map((name) => name.trim());
  const rows = rest.map((line) =>
    line.split(',').map((cell) => (cell.trim() === '' ? Number.NaN : Number(cell))),
  );
  if (!text.endsWith('\n') && isTorn(rows, names.length)) {
    rows.pop();
    onTorn();
  }
  rows.forEach((row, k) => {
    if (row.length === names.length) return;
    const message = `${file}: row ${k + 1} has ${row.length} values, and there are ${names.length} columns`;
    throw new CorpuscleError('FILE_FORMAT', message);
  });
  return withNumbers(names, rows);
}

/** Whether the last row ends early: it has fewer values, or no number where the row before ends in one. */
function isTorn(rows: readonly (readonly number[])[], width: number): boolean {
  const [last, before] = [rows.at(-1), rows.at(-2)];
  if (!last) return false;
  return last.length < width || (Number.isNaN(last.at(-1)) && Number.isFinite(before?.at(-1)));
}

function fromJson(text: string, file: string, onTorn: () => void): Content {
  const records = recordsOf(text, file, onTorn).filter(
    (record): record is Record<string, unknown> => typeof record === 'object' && record !== null,
  );
  const first = records[0] ?? {};
  const names = Object.keys(first).filter((name) => typeof first[name] === 'number');
  return { names, rows: records.map((record) => names.map((name) => Number(record[name]))) };
}

function recordsOf(text: string, file: string, onTorn: () => void): readonly unknown[] {
  try {
    if (text.trimStart().startsWith('[')) return JSON.parse(text) as unknown[];
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.flatMap((line, k) => {
      // A line of JSON that is complete is so without an end too.
      if (k < lines.length - 1 || text.endsWith('\n') || line.endsWith('}'))
        return JSON.parse(line);
      onTorn();
      return [];
    });
  } catch (cause) {
    const message = `${file}: neither a list nor lines of JSON: ${(cause as Error).message}`;
    throw new CorpuscleError('FILE_FORMAT', message, { cause });
  }
}

/** Leaves out columns that are text. */
function withNumbers(names: readonly string[], rows: readonly (readonly number[])[]): Content {
  const kept = names.map((_, k) => rows.some((row) => Number.isFinite(row[k]!)));
  const pick = <T>(list: readonly T[]) => list.filter((_, k) => kept[k]);
  return { names: pick(names), rows: rows.map(pick) };
}
