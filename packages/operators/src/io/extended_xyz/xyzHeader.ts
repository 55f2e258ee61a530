import { CorpuscleError, limits } from '@corpuscle/core';
import { clip } from '../failAt.js';
import { textLocation } from '../textLocation.js';
import { type HeaderEntry, headerEntries } from './headerEntries.js';

export type ColumnType = 'S' | 'R' | 'I' | 'L';

/** A group of `width` columns; `start` is the first column's index on the line. */
export interface XyzColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly width: number;
  readonly start: number;
}

/** What the comment line of an extended xyz frame says. */
export interface XyzHeader {
  readonly lattice: readonly number[] | null;
  readonly origin: readonly [number, number, number];
  readonly periodic: readonly [boolean, boolean, boolean];
  readonly columns: readonly XyzColumn[];
  /** False for plain xyz, where what follows x, y, z is ignored. */
  readonly extended: boolean;
  readonly properties: ReadonlyMap<string, string>;
}

const PLAIN: readonly XyzColumn[] = [
  { name: 'species', type: 'S', width: 1, start: 0 },
  { name: 'pos', type: 'R', width: 3, start: 1 },
];

/** Parses the second line of a frame. @throws CorpuscleError FILE_FORMAT at the value that is wrong. */
export function parseXyzHeader(text: string, file: string, line: number): XyzHeader {
  const entries = headerEntries(text);
  const fail = (column: number, message: string): never => {
    throw new CorpuscleError('FILE_FORMAT', clip(message), {
      location: textLocation(file, line, column, text),
    });
  };
  const find = (name: string): HeaderEntry | undefined => {
    for (const [key, entry] of entries)
      if (key.toLowerCase() === name.toLowerCase()) {
        entries.delete(key);
        return entry;
      }
    return undefined;
  };
  const numbers = (entry: HeaderEntry, name: string, count: number): number[] => {
    const words = entry.value.split(/[\s,]+/).filter((word) => word !== '');
    const values = words.map(Number);
    if (values.length !== count || !values.every(Number.isFinite))
      fail(entry.column, `${name} needs ${count} numbers, not "${entry.value}"`);
    return values;
  };

  const latticeEntry = find('Lattice');
  const lattice = latticeEntry ? numbers(latticeEntry, 'Lattice', 9) : null;
  if (lattice && latticeEntry) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = lattice as [number, ...number[]] & number[];
    const volume =
      ax! * (by! * cz! - bz! * cy!) - ay! * (bx! * cz! - bz! * cx!) + az! * (bx! * cy! - by! * cx!);
    if (!(Math.abs(volume) > 0))
      fail(
        latticeEntry.column,
        'the three vectors of Lattice lie in a plane: the box has no volume',
      );
  }
  const originEntry = find('Origin');
  const origin = originEntry ? numbers(originEntry, 'Origin', 3) : [0, 0, 0];
  const pbcEntry = find('pbc');
  const periodic = pbcEntry
    ? parsePbc(pbcEntry, fail)
    : ([lattice !== null, lattice !== null, lattice !== null] as const);
  if (!lattice && pbcEntry && periodic.some(Boolean))
    fail(
      pbcEntry.column,
      'pbc is on but there is no Lattice: add Lattice="ax ay az bx by bz cx cy cz"',
    );
  const columnsEntry = find('Properties');
  return {
    lattice,
    origin: origin as [number, number, number],
    periodic: periodic as [boolean, boolean, boolean],
    columns: columnsEntry ? parseColumns(columnsEntry, fail) : PLAIN,
    extended: columnsEntry !== undefined,
    properties: new Map([...entries].map(([key, entry]) => [key, entry.value])),
  };
}

function parsePbc(entry: HeaderEntry, fail: (column: number, message: string) => never) {
  const words = entry.value.split(/[\s,]+/).filter((word) => word !== '');
  const flags = words.map((word) => {
    if (/^(t|true|1)$/i.test(word)) return true;
    if (/^(f|false|0)$/i.test(word)) return false;
    return fail(entry.column, `pbc needs three of T or F, not "${entry.value}"`);
  });
  if (flags.length !== 3) fail(entry.column, `pbc needs three of T or F, not "${entry.value}"`);
  return flags as [boolean, boolean, boolean];
}

function parseColumns(
  entry: HeaderEntry,
  fail: (column: number, message: string) => never,
): XyzColumn[] {
  const parts = entry.value.split(':');
  if (parts.length % 3 !== 0 || parts.length === 0)
    fail(entry.column, `Properties needs name:type:width triples, not "${entry.value}"`);
  const columns: XyzColumn[] = [];
  const seen = new Set<string>();
  let start = 0;
  for (let k = 0; k < parts.length; k += 3) {
    const name = parts[k]!;
    const type = parts[k + 1]!.toUpperCase();
    const width = Number(parts[k + 2]);
    if (!/^[SRIL]$/.test(type))
      fail(
        entry.column,
        `column '${name}' of Properties has type '${type}', not one of S, R, I, L`,
      );
    if (!Number.isInteger(width) || width < 1)
      fail(
        entry.column,
        `column '${name}' of Properties has width '${parts[k + 2]}', not 1 or more`,
      );
    if (seen.has(name)) fail(entry.column, `Properties names column '${name}' twice`);
    seen.add(name);
    columns.push({ name, type: type as ColumnType, width, start });
    start += width;
    if (start > limits.columns)
      fail(
        entry.column,
        `Properties has more than ${limits.columns} columns: column '${name}' ends at ${start}`,
      );
  }
  return columns;
}
