import { limits } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { failAt } from '../failAt.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { NumberRows } from '../frames/NumberRows.js';
import { parseNumber, parseWhole } from '../frames/parseNumber.js';
import { TextSource } from '../frames/TextSource.js';

/**
 * Reads a POSCAR or CONTCAR file of VASP (version 5, or 4 without names): positions in ångström, along the box or not.
 *
 *   title │ scale (−volume), or three │ a │ b │ c │ names │ counts │ [Selective dynamics] │ Direct or Cartesian │ x y z …
 *
 * Ids count from 0. What follows the positions is not taken.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT with file and line
 */
export async function* readPoscar(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await TextSource.open(file);
  try {
    yield await readFrame(source, options);
  } finally {
    await source.close();
  }
}

async function readFrame(source: TextSource, options: FrameReadOptions): Promise<ParticleFrame> {
  const line = async (what: string): Promise<string> =>
    (await source.next()) ?? failAt(source, '', 1, `the file ends before ${what}`);
  const numbers = (text: string, count: number, what: string) =>
    text
      .trim()
      .split(/\s+/)
      .slice(0, count)
      .map((word) => parseNumber(source, text, word, what));
  const title = await line('the title');
  const scaleText = await line('the scale');
  const scales = numbers(scaleText.replace(/[#!].*/, ''), 3, 'the scale');
  const rows: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const text = await line(`the vector ${name}`);
    const row = numbers(text, 3, `the vector ${name}`);
    if (row.length < 3) failAt(source, text, 1, `the vector ${name} has three numbers`);
    rows.push(...row);
  }
  const factors = factorsOf(scales, rows, () =>
    failAt(source, scaleText, 1, 'the box has no volume'),
  );
  const lattice = rows.map((value, k) => value * factors[k % 3]!);
  const { names, counts } = await readTypes(source, line, options);
  const count = counts.reduce((sum, value) => sum + value, 0);
  let mode = await line('Direct or Cartesian');
  if (/^\s*s/i.test(mode)) mode = await line('Direct or Cartesian');
  const isCartesian = /^\s*[ck]/i.test(mode);
  const points = new NumberRows(count, 3);
  const firstLine = source.line + 1;
  for (let k = 0; k < count; k++) {
    const text = source.take() ?? (await line(`particle ${k + 1} of ${count}`));
    const at = numbers(text, 3, 'a position');
    if (at.length < 3) failAt(source, text, 1, 'a position has three numbers');
    const place = isCartesian
      ? at.map((value, axis) => value * factors[axis]!)
      : [0, 1, 2].map(
          (c) => at[0]! * lattice[c]! + at[1]! * lattice[3 + c]! + at[2]! * lattice[6 + c]!,
        );
    points.reach(k).set(place, 3 * k);
  }
  return {
    count,
    lattice,
    origin: [0, 0, 0],
    periodic: [true, true, true],
    species: [...new Set(names)],
    type: Uint32Array.from(
      counts.flatMap((many, k) =>
        new Array<number>(many).fill([...new Set(names)].indexOf(names[k]!)),
      ),
    ),
    position: points.vectors([0, 1, 2]),
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map([['title', title]]),
    source: { file: source.file, firstLine },
  };
}

/** A negative scale is the volume of the box; three are factors of x, y and z. */
function factorsOf(
  scales: readonly number[],
  m: readonly number[],
  fail: () => never,
): readonly [number, number, number] {
  const volume = Math.abs(
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
      m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
      m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!),
  );
  if (!(volume > 0) || scales.some((scale) => scale === 0)) fail();
  const [x, y, z] = scales;
  if (y !== undefined && z !== undefined) return [x!, y, z];
  const factor = x! > 0 ? x! : Math.cbrt(-x! / volume);
  return [factor, factor, factor];
}

async function readTypes(
  source: TextSource,
  line: (what: string) => Promise<string>,
  options: FrameReadOptions,
) {
  const words = (text: string) =>
    text
      .replace(/[#!].*/, '')
      .trim()
      .split(/\s+/);
  let text = await line('the types');
  let names: string[] | null = null;
  if (!/^\s*\d/.test(text)) {
    // VASP 6 writes hashes after names.
    names = words(text).map((name) => name.split(/[/_]/)[0]!);
    text = await line('the numbers of particles');
  }
  const counts = words(text).map((word) => parseWhole(source, text, word, 'a number of particles'));
  if (counts.length > limits.species) failAt(source, text, 1, `more than ${limits.species} types`);
  names ??= counts.map((_, k) => options.types?.[k] ?? String(k + 1));
  if (names.length !== counts.length)
    failAt(
      source,
      text,
      1,
      `there are ${names.length} types and ${counts.length} numbers of particles`,
    );
  const total = counts.reduce((sum, value) => sum + value, 0);
  if (6 * total > source.bytes + 1)
    failAt(source, text, 1, `the file is too short for ${total} particles`);
  return { names, counts };
}
