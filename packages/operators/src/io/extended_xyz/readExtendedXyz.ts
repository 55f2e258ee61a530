import { CorpuscleError, limits } from '@corpuscle/core';
import { failAt as fail } from '../failAt.js';
import { openNote, tornNote } from '../frames/tornNote.js';
import { LineReader } from '../LineReader.js';
import { checkDistinctIds } from './checkDistinctIds.js';
import { type FrameColumns, frameColumns } from './frameColumns.js';
import type { ParticleFrame } from './ParticleFrame.js';
import { parseAtomLine } from './parseAtomLine.js';
import { parseXyzHeader } from './xyzHeader.js';

/** Values of a frame that are allocated without a look at the size of the file. */
const SMALL = 6000;

/** Which frame and which columns of a file are read. */
export interface ReadExtendedXyzOptions {
  /** Which frame, from 0; the last is −1. Default 0. */
  readonly frame?: number;
  /** Allowed species, in the order of their indices; any other is UNKNOWN_TYPE. Absent: all are taken. */
  readonly types?: readonly string[];
  /** Names of columns to keep in `extra`, or all; unknown columns are skipped otherwise. */
  readonly keep?: readonly string[] | 'all';
}

/**
 * Reads one frame of an xyz or extended xyz file; a file of any length is read through 1 MiB of text at a time.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT, UNKNOWN_TYPE, with file, line and column.
 * @example
 * const frame = readExtendedXyz('liquid.xyz', { frame: 3 });
 * console.info(frame.count, frame.position[0]);
 */
export function readExtendedXyz(file: string, options: ReadExtendedXyzOptions = {}): ParticleFrame {
  const wanted = options.frame ?? 0;
  const reader = new LineReader(file);
  try {
    const target = wanted < 0 ? countFrames(file) + wanted : wanted;
    for (let k = 0; k < target; k++) if (!skipFrame(reader)) break;
    const frame = readFrame(reader, options);
    if (frame && target >= 0) {
      checkWhatFollows(reader);
      return frame;
    }
  } finally {
    reader.close();
  }
  throw new CorpuscleError(
    'FILE_FORMAT',
    `'${file}' has ${countFrames(file)} frames: there is no frame ${wanted} (the first is 0)`,
    { location: { file, line: Math.max(1, reader.line), column: 1 } },
  );
}

/**
 * Gives every frame of a file in turn, one in memory at a time.
 * @param options.onNote told that the file ends within a frame, which is left out then; without it that is an error
 */
export function* extendedXyzFrames(
  file: string,
  options: Omit<ReadExtendedXyzOptions, 'frame'> & {
    readonly onNote?: ((text: string) => void) | undefined;
  } = {},
): Generator<ParticleFrame, void> {
  const { onNote } = options;
  const reader = new LineReader(file);
  try {
    for (let frames = 0; ; frames++) {
      let frame: ParticleFrame | null;
      try {
        frame = readFrame(reader, options);
      } catch (error) {
        const isTorn = error instanceof Torn || reader.isTorn;
        if (!isTorn || frames === 0 || !onNote) throw error;
        return onNote(tornNote(file, frames));
      }
      if (!frame) return;
      if (frames > 0 && reader.isTorn) onNote?.(openNote(file));
      checkWhatFollows(reader);
      yield frame;
    }
  } finally {
    reader.close();
  }
}

/** Number of frames, found without parsing the particles. */
export function countFrames(file: string): number {
  const reader = new LineReader(file);
  try {
    let frames = 0;
    while (skipFrame(reader)) frames++;
    return frames;
  } finally {
    reader.close();
  }
}

/** The count on a frame's first line, or null at the end of the file. */
function readCount(reader: LineReader): number | null {
  let text = reader.next();
  const first = reader.line === 1;
  while (text !== null && text.trim() === '' && !first) text = reader.next();
  if (text === null) {
    if (reader.line > 0) return null;
    throw new CorpuscleError(
      'FILE_FORMAT',
      'the file is empty: an xyz file begins with the number of particles',
      {
        location: { file: reader.file, line: 1, column: 1 },
      },
    );
  }
  const count = Number(text.trim());
  const column = text.length - text.trimStart().length + 1;
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(count))
    fail(
      reader,
      text,
      column,
      `a frame begins with the number of particles, not "${text.trim().slice(0, 40)}"${first ? '' : ': is the count of the frame before too small?'}`,
    );
  // Two bytes a particle is the least a line can have: a mistyped count must not allocate the world.
  if (2 * count > reader.bytes)
    fail(
      reader,
      text,
      column,
      `the file is too short (${reader.bytes} bytes) for ${count} particles: it is truncated or the count is wrong`,
    );
  return count;
}

/** Every column takes a character and a separator: what is allocated is not much more than the file can hold. */
function checkRoom(
  count: number,
  columns: number,
  reader: LineReader,
  comment: string,
  at: number,
): void {
  // Small frames are read as far as they go, as the line on which they end says more.
  if (count * columns < SMALL || 2 * count * columns <= reader.bytes + 1) return;
  fail(
    reader,
    comment,
    at,
    `the file is too short (${reader.bytes} bytes) for ${count} particles of ${columns} columns`,
  );
}

function skipFrame(reader: LineReader): boolean {
  const count = readCount(reader);
  if (count === null) return false;
  for (let k = 0; k <= count; k++) {
    const text = reader.next();
    if (text === null) truncated(reader, count, k - 1);
  }
  return true;
}

/** The file ends within a frame. */
class Torn extends CorpuscleError {}

function truncated(reader: LineReader, count: number, found: number): never {
  throw new Torn(
    'FILE_FORMAT',
    `the file ends after ${Math.max(0, found)} of ${count} particles: it is truncated or the count is wrong`,
    { location: { file: reader.file, line: reader.line, column: 1 } },
  );
}

function checkWhatFollows(reader: LineReader): void {
  const text = reader.peek();
  if (text === null || /^\d*$/.test(text.trim())) return;
  reader.next();
  fail(
    reader,
    text,
    1,
    'there are more particles than the count says: a frame or the end of the file was expected',
  );
}

function readFrame(reader: LineReader, options: ReadExtendedXyzOptions): ParticleFrame | null {
  const count = readCount(reader);
  if (count === null) return null;
  const comment = reader.next();
  if (comment === null) truncated(reader, count, 0);
  const header = parseXyzHeader(comment, reader.file, reader.line);
  const last = header.columns.at(-1)!;
  const propertiesAt = Math.max(0, comment.search(/Properties/i)) + 1;
  checkRoom(count, last.start + last.width, reader, comment, propertiesAt);
  let columns: FrameColumns;
  try {
    columns = frameColumns(header, count, options.keep ?? []);
  } catch (error) {
    fail(reader, comment, propertiesAt, (error as Error).message);
  }
  if (!columns.position)
    fail(reader, comment, propertiesAt, 'Properties has no pos:R:3: particles need positions');

  const species = new Map((options.types ?? []).map((name, index) => [name, index]));
  const type = new Uint32Array(count);
  const firstLine = reader.line + 1;
  for (let k = 0; k < count; k++) {
    const text = reader.next();
    if (text === null) truncated(reader, count, k);
    parseAtomLine(reader, text, k, columns, header.extended, (word, column) => {
      const index = species.get(word);
      if (index !== undefined) type[k] = index;
      else if (options.types)
        fail(
          reader,
          text,
          column,
          `'${word}' is not a particle type: the types are ${options.types.join(', ')}`,
          'UNKNOWN_TYPE',
        );
      else if (species.size >= limits.species)
        fail(
          reader,
          text,
          column,
          `the file has more than ${limits.species} species: is this column no species?`,
        );
      else {
        type[k] = species.size;
        species.set(word, species.size);
      }
    });
  }
  if (!columns.hasSpecies && count > 0) {
    if (species.size > 1)
      fail(
        reader,
        comment,
        1,
        `Properties has no species, and there are ${species.size} particle types: add species:S:1`,
      );
    if (species.size === 0) species.set('A', 0);
  }
  if (columns.id) checkDistinctIds(columns.id, reader.file, firstLine, header.columns);
  return {
    count,
    lattice: header.lattice,
    origin: header.origin,
    periodic: header.periodic,
    species: [...species.keys()],
    type,
    position: columns.position,
    velocity: columns.velocity,
    id: columns.id,
    mass: columns.mass,
    charge: columns.charge,
    extra: columns.extra,
    properties: header.properties,
    source: { file: reader.file, firstLine },
  };
}
