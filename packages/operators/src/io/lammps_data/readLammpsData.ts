import { CorpuscleError } from '@corpuscle/core';
import type { Bond } from '../../bonds/Bonds.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { failAt } from '../failAt.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { NumberRows } from '../frames/NumberRows.js';
import { parseNumber, parseWhole } from '../frames/parseNumber.js';
import { TextSource } from '../frames/TextSource.js';
import { type AtomStyle, atomStyles } from './atomStyles.js';
import { DataSections, uncommented } from './DataSections.js';

/** What a data file holds that a frame takes. */
interface Data {
  readonly masses: Float64Array;
  readonly labels: string[];
  atoms: Atoms | null;
  velocities: NumberRows | null;
  bonds: Bond[] | null;
  /** Sections that are not taken. */
  readonly skipped: string[];
}

interface Atoms {
  readonly rows: NumberRows;
  readonly columns: readonly string[];
  readonly hasImages: boolean;
  readonly firstLine: number;
}

/**
 * Reads a data file of LAMMPS with atoms of the styles atomic, charge, bond, angle, molecular or full: box, masses, atoms,
 * image flags, velocities and bonds. Coefficients, angles, dihedrals and impropers are not taken; `onNote` is told so.
 *
 * Types are called as their label, or the comment after their mass, says; else as `types` says, else by their number.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT with file and line
 */
export async function* readLammpsData(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await TextSource.open(file);
  try {
    const sections = await DataSections.open(source);
    const data = await readSections(sections);
    if (data.skipped.length > 0)
      options.onNote?.(`'${file}': ${data.skipped.join(', ')} are not taken from a data file`);
    yield frameOf(sections, data, options);
  } finally {
    await source.close();
  }
}

async function readSections(sections: DataSections): Promise<Data> {
  const { source, head } = sections;
  const missing = (what: string) =>
    new CorpuscleError('FILE_FORMAT', `the file has ${what}`, {
      location: { file: source.file, line: Math.max(1, source.line), column: 1 },
    });
  const types = count(sections, 'atom types');
  const data: Data = {
    masses: new Float64Array(types).fill(1),
    labels: new Array<string>(types).fill(''),
    atoms: null,
    velocities: null,
    bonds: null,
    skipped: [],
  };
  for (let at = await sections.next(); at !== null; at = await sections.next()) {
    if (at.name === 'Masses') await readMasses(sections, data, types);
    else if (at.name === 'Atom Type Labels') await readLabels(sections, data, types);
    else if (at.name === 'Atoms') data.atoms = await readAtoms(sections, at.comment);
    else if (at.name === 'Velocities') data.velocities = await readVelocities(sections);
    else if (at.name === 'Bonds') data.bonds = await readBonds(sections);
    else data.skipped.push(at.name);
  }
  const atoms = head.counts.get('atoms');
  if (atoms === undefined) throw missing('no line with the number of atoms');
  if (!data.atoms && atoms > 0) throw missing('no section Atoms');
  return data;
}

/** A count of the head, which must fit into the file. */
function count({ source, head }: DataSections, what: string): number {
  const value = head.counts.get(what) ?? 0;
  if (2 * value <= source.bytes) return value;
  throw new CorpuscleError('FILE_FORMAT', `the file is too short for ${value} ${what}`, {
    location: { file: source.file, line: source.line, column: 1 },
  });
}

const wordsOf = (text: string): string[] => uncommented(text).trim().split(/\s+/);

async function readMasses(sections: DataSections, data: Data, types: number): Promise<void> {
  const { source } = sections;
  await sections.lines(types, 'Masses', (text) => {
    const [type, mass, ...rest] = wordsOf(text);
    const index = parseWhole(source, text, type ?? '', 'a type', 1) - 1;
    if (index >= types || rest.length > 0)
      failAt(source, text, 1, `a line of Masses is a type up to ${types} and its mass`);
    data.masses[index] = parseNumber(source, text, mass ?? '', 'a mass');
    const label = text.slice(uncommented(text).length + 1).trim();
    if (data.labels[index] === '' && /^\S+$/.test(label)) data.labels[index] = label;
  });
}

async function readLabels(sections: DataSections, data: Data, types: number): Promise<void> {
  const { source } = sections;
  await sections.lines(types, 'Atom Type Labels', (text) => {
    const [type, label] = wordsOf(text);
    const index = parseWhole(source, text, type ?? '', 'a type', 1) - 1;
    if (index >= types || !label) failAt(source, text, 1, 'a line is a type and its label');
    data.labels[index] = label;
  });
}

async function readAtoms(sections: DataSections, comment: string): Promise<Atoms> {
  const { source } = sections;
  const [style = ''] = comment.split(/\s+/);
  let atoms: Atoms | null = null;
  const all = count(sections, 'atoms');
  await sections.lines(all, 'Atoms', (text, k) => {
    const words = wordsOf(text);
    atoms ??= layoutOf(source, text, words, style, all);
    const { columns, rows, hasImages } = atoms;
    const needed = columns.length + (hasImages ? 3 : 0);
    if (words.length !== needed)
      failAt(source, text, 1, `this line has ${words.length} columns, not ${needed}`);
    const values = rows.reach(k);
    words.forEach((word, c) => {
      const name = columns[c] ?? 'an image flag';
      const isId = name === 'id' || name === 'type';
      values[k * rows.width + c] = isId
        ? parseWhole(source, text, word, name, name === 'type' ? 1 : 0)
        : parseNumber(source, text, word, name);
    });
  });
  return (
    atoms ?? {
      rows: new NumberRows(0, 5),
      columns: atomStyles.atomic,
      hasImages: false,
      firstLine: 0,
    }
  );
}

/** Columns by the style that the heading names; without one, by their number. */
function layoutOf(
  source: TextSource,
  text: string,
  words: string[],
  style: string,
  all: number,
): Atoms {
  const known = style in atomStyles ? (style as AtomStyle) : null;
  if (style !== '' && !known)
    failAt(
      source,
      text,
      1,
      `atoms have the style '${style}', and ${Object.keys(atomStyles).join(', ')} are read`,
    );
  const guess = { 5: 'atomic', 8: 'atomic', 7: 'full', 10: 'full' }[words.length];
  const chosen = known ?? (guess as AtomStyle | undefined);
  if (!chosen)
    failAt(
      source,
      text,
      1,
      `the style of atoms is not clear from ${words.length} columns: write it after Atoms, as in "Atoms # charge"`,
    );
  const columns = atomStyles[chosen];
  return {
    rows: new NumberRows(all, words.length),
    columns,
    hasImages: words.length === columns.length + 3,
    firstLine: source.line,
  };
}

async function readVelocities(sections: DataSections): Promise<NumberRows> {
  const { source } = sections;
  const all = count(sections, 'atoms');
  const rows = new NumberRows(all, 4);
  await sections.lines(all, 'Velocities', (text, k) => {
    const words = wordsOf(text);
    if (words.length !== 4) failAt(source, text, 1, 'a line of Velocities is an id and vx vy vz');
    const values = rows.reach(k);
    words.forEach((word, c) => {
      values[4 * k + c] = parseNumber(source, text, word, c === 0 ? 'id' : 'a velocity');
    });
  });
  return rows;
}

async function readBonds(sections: DataSections): Promise<Bond[]> {
  const { source } = sections;
  const bonds: Bond[] = [];
  await sections.lines(count(sections, 'bonds'), 'Bonds', (text) => {
    const words = wordsOf(text);
    if (words.length !== 4)
      failAt(source, text, 1, 'a line of Bonds is a number, a type and two ids');
    const [, kind, a, b] = words.map((word, c) =>
      parseWhole(source, text, word, 'a bond', c < 2 ? 1 : 0),
    );
    bonds.push({ ids: [a!, b!], kind: kind! - 1 });
  });
  return bonds;
}

function frameOf(sections: DataSections, data: Data, options: FrameReadOptions): ParticleFrame {
  const { source } = sections;
  const all = count(sections, 'atoms');
  const { rows, columns, hasImages, firstLine } = data.atoms ?? {
    ...{ rows: new NumberRows(0, 5), columns: atomStyles.atomic as readonly string[] },
    ...{ hasImages: false, firstLine: 1 },
  };
  const column = (name: string) => {
    const index = columns.indexOf(name);
    return index < 0 ? null : rows.column(index);
  };
  const id = column('id')!;
  const number = column('type')!;
  const most = data.labels.length;
  const type = Uint32Array.from(number, (value, k) => {
    if (value <= most) return value - 1;
    throw new CorpuscleError('FILE_FORMAT', `particle ${id[k]} has type ${value}, of ${most}`, {
      location: { file: source.file, line: firstLine + k, column: 1 },
    });
  });
  const x = columns.indexOf('x');
  const flags = hasImages
    ? Int32Array.from(rows.vectors([columns.length, columns.length + 1, columns.length + 2]))
    : null;
  return {
    count: all,
    ...boxOf(sections),
    periodic: [true, true, true],
    species: data.labels.map((label, k) => speciesName(label, k, options.types ?? [])),
    type,
    position: rows.vectors([x, x + 1, x + 2]),
    velocity: data.velocities && byId(data.velocities, id, source),
    id,
    mass: type.length > 0 ? Float64Array.from(type, (t) => data.masses[t]!) : null,
    charge: column('q'),
    molecule: column('molecule'),
    image: flags,
    bonds: data.bonds,
    extra: new Map(),
    properties: new Map(),
    ...(all > 0 && { source: { file: source.file, firstLine } }),
  };
}

/** A label that is a particle type of the run names it; else the number of the type does. */
function speciesName(label: string, index: number, types: readonly string[]): string {
  if (label !== '' && (types.length === 0 || types.includes(label))) return label;
  return types[index] ?? (label || String(index + 1));
}

function boxOf({ source, head }: DataSections) {
  const sides = ['xlo xhi', 'ylo yhi', 'zlo zhi'].map((what) => head.box.get(what) ?? [-0.5, 0.5]);
  const [xy, xz, yz] = head.box.get('xy xz yz') ?? [0, 0, 0];
  const [lx, ly, lz] = sides.map(([low, high]) => high! - low!);
  if (![lx, ly, lz].every((length) => length! > 0))
    throw new CorpuscleError('FILE_FORMAT', 'the box has no volume', {
      location: { file: source.file, line: 1, column: 1 },
    });
  const origin: readonly [number, number, number] = [sides[0]![0]!, sides[1]![0]!, sides[2]![0]!];
  return { lattice: [lx!, 0, 0, xy!, ly!, 0, xz!, yz!, lz!], origin };
}

function byId(rows: NumberRows, id: Float64Array, source: TextSource): Float64Array {
  const place = new Map(Array.from(id, (value, k) => [value, k] as const));
  const ids = rows.column(0);
  const values = rows.vectors([1, 2, 3]);
  const out = new Float64Array(3 * id.length);
  ids.forEach((value, k) => {
    const at = place.get(value);
    if (at === undefined)
      throw new CorpuscleError('FILE_FORMAT', `Velocities name id ${value}, which no atom has`, {
        location: { file: source.file, line: source.line, column: 1 },
      });
    out.set(values.subarray(3 * k, 3 * k + 3), 3 * at);
  });
  return out;
}
