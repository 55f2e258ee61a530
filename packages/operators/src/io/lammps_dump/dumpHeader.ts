import { limits } from '@corpuscle/core';
import { failAt } from '../failAt.js';
import { parseNumber, parseWhole } from '../frames/parseNumber.js';
import type { TextSource } from '../frames/TextSource.js';

/** What stands before the particles of a frame. */
export interface DumpHeader {
  readonly step: number;
  readonly time: number | undefined;
  readonly count: number;
  /** Rows a, b, c. */
  readonly lattice: readonly number[];
  readonly origin: readonly [number, number, number];
  readonly periodic: readonly [boolean, boolean, boolean];
  readonly columns: readonly string[];
}

interface Box {
  readonly lattice: readonly number[];
  readonly origin: readonly [number, number, number];
  readonly periodic: readonly [boolean, boolean, boolean];
}

/**
 * Reads up to the line `ITEM: ATOMS`; null at the end of the file.
 * @param torn called where the file ends in between
 */
export async function readDumpHeader(
  source: TextSource,
  torn: (what: string) => never,
): Promise<DumpHeader | null> {
  let step: number | undefined;
  let time: number | undefined;
  let count: number | undefined;
  let box: Box | undefined;
  let isBegun = false;
  const line = async (what: string): Promise<string> => (await source.next()) ?? torn(what);
  for (;;) {
    const text = await source.next();
    if (text === null && !isBegun && source.line > 0) return null;
    if (text === null) torn('the head of a frame');
    if (text.trim() === '') continue;
    isBegun = true;
    if (text.startsWith('ITEM: TIMESTEP')) {
      const value = await line('ITEM: TIMESTEP');
      step = parseWhole(source, value, value.trim(), 'the step');
    } else if (text.startsWith('ITEM: TIME')) {
      const value = await line('ITEM: TIME');
      time = parseNumber(source, value, value.trim(), 'the time');
    } else if (text.startsWith('ITEM: UNITS')) await line('ITEM: UNITS');
    else if (text.startsWith('ITEM: NUMBER OF ATOMS')) {
      const value = await line('ITEM: NUMBER OF ATOMS');
      count = parseWhole(source, value, value.trim(), 'the number of atoms');
    } else if (text.startsWith('ITEM: BOX BOUNDS')) box = await readBox(source, text, line);
    else if (text.startsWith('ITEM: ATOMS')) {
      const columns = text.slice('ITEM: ATOMS'.length).trim().split(/\s+/).filter(Boolean);
      if (step === undefined || count === undefined || !box)
        failAt(
          source,
          text,
          1,
          'a frame needs TIMESTEP, NUMBER OF ATOMS and BOX BOUNDS before ATOMS',
        );
      if (columns.length > limits.columns)
        failAt(source, text, 1, `more than ${limits.columns} columns`);
      const twice = columns.find((name, k) => columns.indexOf(name) !== k);
      if (twice) failAt(source, text, text.indexOf(twice) + 1, `column '${twice}' is there twice`);
      return { step, time, count, columns, ...box };
    } else
      failAt(
        source,
        text,
        1,
        `a dump has lines as ITEM: TIMESTEP here, not '${text.slice(0, 40)}'`,
      );
  }
}

async function readBox(
  source: TextSource,
  head: string,
  line: (what: string) => Promise<string>,
): Promise<Box> {
  const words = head.slice('ITEM: BOX BOUNDS'.length).trim().split(/\s+/).filter(Boolean);
  const isGeneral = words[0] === 'abc';
  const isTilted = words[0] === 'xy';
  const flags = words.slice(isGeneral ? 2 : isTilted ? 3 : 0);
  const rows: number[][] = [];
  for (let axis = 0; axis < 3; axis++) {
    const text = await line('ITEM: BOX BOUNDS');
    const values = text.trim().split(/\s+/);
    const needed = isGeneral ? 4 : isTilted ? 3 : 2;
    if (values.length !== needed)
      failAt(
        source,
        text,
        1,
        `a line of BOX BOUNDS has ${needed} numbers here, not ${values.length}`,
      );
    rows.push(values.map((word) => parseNumber(source, text, word, 'a bound')));
  }
  const periodic = [0, 1, 2].map((axis) => (flags[axis] ?? 'pp').startsWith('p'));
  const box = isGeneral ? generalBox(rows) : uprightBox(rows);
  const [m, o] = [box.lattice, box.origin];
  const volume =
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
    m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
    m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!);
  if (!(Math.abs(volume) > 0)) failAt(source, head, 1, 'the box has no volume');
  return {
    lattice: m,
    origin: [o[0]!, o[1]!, o[2]!],
    periodic: [periodic[0]!, periodic[1]!, periodic[2]!],
  };
}

/** `abc origin`: a line for each of a, b and c, and the origin in the last column. */
function generalBox(rows: readonly (readonly number[])[]) {
  return {
    lattice: rows.flatMap((row) => row.slice(0, 3)),
    origin: rows.map((row) => row[3]!),
  };
}

/** Bounds of an upright box, or of the one around a tilted box: see `formatLammpsDump`. */
function uprightBox(rows: readonly (readonly number[])[]) {
  const [[x0, x1, xy = 0], [y0, y1, xz = 0], [z0, z1, yz = 0]] = rows as [
    number[],
    number[],
    number[],
  ];
  const xlo = x0! - Math.min(0, xy, xz, xy + xz);
  const xhi = x1! - Math.max(0, xy, xz, xy + xz);
  const ylo = y0! - Math.min(0, yz);
  const yhi = y1! - Math.max(0, yz);
  return {
    lattice: [xhi - xlo, 0, 0, xy, yhi - ylo, 0, xz, yz, z1! - z0!],
    origin: [xlo, ylo, z0!],
  };
}
