import { limits } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { failAt } from '../failAt.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { NumberRows } from '../frames/NumberRows.js';
import { parseNumber, parseWhole } from '../frames/parseNumber.js';
import { TextSource } from '../frames/TextSource.js';
import { tornNote } from '../frames/tornNote.js';

/**
 * Reads the frames of a GRO file of GROMACS: positions in nm, velocities in nm/ps, box. Columns have fixed widths:
 *
 *   residue number 5 | residue 5 | atom 5 | number 5 | x y z, each d + 5 | vx vy vz, each d + 5      d from the points of the first
 *
 * Types are called as the atoms; `ids` count from 0 in the order of the file, as numbers of atoms begin anew after 99999.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT with file and line
 */
export async function* readGro(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await TextSource.open(file);
  const species: string[] = [];
  try {
    for (let frames = 0; ; frames++) {
      const title = await source.next();
      if (title === null || (frames > 0 && title.trim() === '')) return;
      let frame: ParticleFrame;
      try {
        frame = await readFrame(source, title, species);
      } catch (error) {
        const isTorn = source.take() === null;
        if (!isTorn || frames === 0 || !options.onNote) throw error;
        options.onNote(tornNote(file, frames));
        return;
      }
      yield frame;
    }
  } finally {
    await source.close();
  }
}

async function readFrame(
  source: TextSource,
  title: string,
  species: string[],
): Promise<ParticleFrame> {
  const line = async (what: string): Promise<string> =>
    (await source.next()) ?? failAt(source, '', 1, `the file ends before ${what}`);
  const countText = await line('the number of atoms');
  const count = parseWhole(source, countText, countText.trim(), 'the number of atoms');
  if (30 * count > source.bytes)
    failAt(source, countText, 1, `the file is too short for ${count} atoms`);
  const rows = new NumberRows(count, 6);
  const type = new Uint32Array(count);
  let hasVelocities = count > 0;
  const firstLine = source.line + 1;
  for (let k = 0; k < count; k++) {
    const text = source.take() ?? (await line(`atom ${k + 1} of ${count}`));
    const width = widthOf(source, text);
    const values = rows.reach(k);
    for (let c = 0; c < 6; c++) {
      const word = text.slice(20 + c * width, 20 + (c + 1) * width).trim();
      if (c >= 3 && word === '') hasVelocities = false;
      else values[6 * k + c] = parseNumber(source, text, word, c < 3 ? 'a position' : 'a velocity');
    }
    type[k] = indexOf(species, text.slice(10, 15).trim(), source);
  }
  const boxText = await line('the box');
  const words = boxText.trim().split(/\s+/);
  if (words.length !== 3 && words.length !== 9)
    failAt(source, boxText, 1, 'a box has 3 or 9 numbers');
  const [ax, by, cz, ay = 0, az = 0, bx = 0, bz = 0, cx = 0, cy = 0] = words.map((word) =>
    parseNumber(source, boxText, word, 'the box'),
  ) as [number, number, number, ...number[]];
  const hasBox = ax > 0 && by > 0 && cz > 0;
  const stated = (name: string) => {
    const match = new RegExp(`\\b${name}=\\s*([-+.\\deE]+)`).exec(title);
    return match && Number.isFinite(Number(match[1])) ? Number(match[1]) : undefined;
  };
  return {
    count,
    lattice: hasBox ? [ax, ay, az, bx, by, bz, cx, cy, cz] : null,
    origin: [0, 0, 0],
    periodic: [hasBox, hasBox, hasBox],
    species: [...species],
    type,
    position: rows.vectors([0, 1, 2]),
    velocity: hasVelocities ? rows.vectors([3, 4, 5]) : null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map([['title', title]]),
    step: stated('step'),
    time: stated('t'),
    source: { file: source.file, firstLine },
  };
}

/** Characters of a position: the distance between decimal points. */
function widthOf(source: TextSource, text: string): number {
  const first = text.indexOf('.', 20);
  const second = text.indexOf('.', first + 1);
  if (first < 0 || second < 0)
    failAt(source, text, 21, 'an atom needs x, y and z with decimal points');
  return second - first;
}

/** The index of a name; new ones are added. */
function indexOf(species: string[], name: string, source: TextSource): number {
  const index = species.indexOf(name);
  if (index >= 0) return index;
  if (species.length >= limits.species)
    failAt(source, name, 1, `more than ${limits.species} types`);
  return species.push(name) - 1;
}
