import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { failAt } from '../failAt.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { NumberRows } from '../frames/NumberRows.js';
import { parseNumber, parseWhole } from '../frames/parseNumber.js';
import { TextSource } from '../frames/TextSource.js';
import { cutNote, openNote, tornNote } from '../frames/tornNote.js';
import { type DumpHeader, readDumpHeader } from './dumpHeader.js';
import { frameOfDump } from './frameOfDump.js';

/**
 * Reads the frames of a LAMMPS dump in text, also compressed (`.gz`). Particles come in the order of the file.
 *
 * Columns that are read: id, mol, type, element, mass, q; x y z, or scaled (xs), unwrapped (xu, xsu); ix iy iz; vx vy vz;
 * fx fy fz; c_pe. All others are kept in `extra` where they are numbers.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT with file and line
 * @example
 * for await (const frame of readLammpsDump('melt.dump.gz')) console.info(frame.step, frame.count);
 */
export async function* readLammpsDump(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await TextSource.open(file, { mayBeCut: options.onNote !== undefined });
  const species: string[] = [];
  const told = new Set<string>();
  try {
    for (let frames = 0; ; frames++) {
      let frame: ParticleFrame | null;
      try {
        frame = await readFrame(source, { species, told }, options);
      } catch (error) {
        const isTorn = error instanceof Torn || source.isTorn;
        if (!isTorn || frames === 0 || !options.onNote) throw error;
        return options.onNote(tornNote(file, frames));
      }
      if (!frame) {
        if (source.isCut) options.onNote?.(cutNote(file, frames));
        return;
      }
      if (frames > 0 && source.isTorn) {
        // Compressed text that was cut there was cut anywhere in the last number.
        if (source.isCut) return options.onNote?.(tornNote(file, frames));
        options.onNote?.(openNote(file));
      }
      yield frame;
    }
  } finally {
    await source.close();
  }
}

/** The file ends within a frame. */
class Torn extends CorpuscleError {}

function torn(source: TextSource, what: string): never {
  throw new Torn('FILE_FORMAT', `the file ends within ${what}: it is truncated`, {
    location: { file: source.file, line: Math.max(1, source.line), column: 1 },
  });
}

async function readFrame(
  source: TextSource,
  earlier: { readonly species: string[]; readonly told: Set<string> },
  options: FrameReadOptions,
): Promise<ParticleFrame | null> {
  const header = await readDumpHeader(source, (what) => torn(source, what));
  if (!header) return null;
  const { count, columns } = header;
  if (2 * count * columns.length > source.bytes + 1 && count > 1024)
    throw new CorpuscleError(
      'FILE_FORMAT',
      `the file is too short (${source.bytes} bytes) for ${count} particles of ${columns.length} columns`,
      { location: { file: source.file, line: source.line, column: 1 } },
    );
  const wanted = wantedColumns(header);
  const rows = new NumberRows(count, wanted.length);
  const names: string[] = [];
  const firstLine = source.line + 1;
  for (let k = 0; k < count; k++) {
    const text = source.take() ?? (await source.next());
    if (text === null) torn(source, `particle ${k + 1} of ${count}`);
    readParticle(source, text, k, header, wanted, rows, names);
  }
  return frameOfDump({
    header,
    wanted,
    others: columns.filter((name) => !KNOWN.test(name) && name !== 'element'),
    rows,
    names,
    ...earlier,
    options,
    file: source.file,
    firstLine,
  });
}

/** Columns that have a place in a frame. */
export const KNOWN = /^(id|mol|type|element|mass|q|c_pe|[xyz](s|u|su)?|i[xyz]|v[xyz]|f[xyz])$/;

/** Indices of the columns that are kept, the texts of `element` apart. */
function wantedColumns({ columns }: DumpHeader): readonly number[] {
  return columns.flatMap((name, k) => (name === 'element' ? [] : [k]));
}

function readParticle(
  source: TextSource,
  text: string,
  particle: number,
  { columns }: DumpHeader,
  wanted: readonly number[],
  rows: NumberRows,
  names: string[],
): void {
  const words = text.trim().split(/\s+/);
  if (words.length !== columns.length || text.startsWith('ITEM:')) {
    if (source.isTorn) torn(source, `particle ${particle + 1}`);
    failAt(source, text, 1, `this line has ${words.length} columns, not ${columns.length}`);
  }
  const values = rows.reach(particle);
  let at = particle * rows.width;
  for (const column of wanted) {
    const name = columns[column]!;
    const word = words[column]!;
    if (!KNOWN.test(name)) values[at++] = Number(word);
    else if (name === 'id' || name === 'type')
      values[at++] = parseWhole(source, text, word, name, name === 'type' ? 1 : 0);
    else values[at++] = parseNumber(source, text, word, name);
  }
  const element = columns.indexOf('element');
  if (element >= 0) names.push(words[element]!);
}
