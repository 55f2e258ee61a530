import { CorpuscleError, limits } from '@corpuscle/core';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import type { NumberRows } from '../frames/NumberRows.js';
import type { DumpHeader } from './dumpHeader.js';

/** A frame as it was read. */
interface DumpFrame {
  readonly header: DumpHeader;
  /** Which column of the file each column of `rows` is. */
  readonly wanted: readonly number[];
  readonly rows: NumberRows;
  /** Columns without a place of their own. */
  readonly others: readonly string[];
  /** Those of earlier frames; grows. */
  readonly told: Set<string>;
  /** The words of `element`; none where there is no such column. */
  readonly names: readonly string[];
  /** Names that earlier frames have brought; grows. */
  readonly species: string[];
  readonly options: FrameReadOptions;
  readonly file: string;
  readonly firstLine: number;
}

/** Puts the columns of a dump into their places. @throws CorpuscleError FILE_FORMAT, UNKNOWN_TYPE */
export function frameOfDump(dump: DumpFrame): ParticleFrame {
  const { header, rows, wanted } = dump;
  const { count, columns } = header;
  const column = (name: string) => {
    const index = wanted.findIndex((k) => columns[k] === name);
    return index < 0 ? null : rows.column(index);
  };
  const vectors = (names: readonly string[]) => {
    const found = names.map((name) => wanted.findIndex((k) => columns[k] === name));
    if (found.some((index) => index < 0)) return null;
    return rows.vectors(found as [number, number, number]);
  };
  const three = (prefix: string, suffix = '') =>
    vectors(['x', 'y', 'z'].map((axis) => `${prefix}${axis}${suffix}`));
  const scaled = (values: Float64Array | null) => values && inBox(values, header);
  const wrapped = three('') ?? scaled(three('', 's'));
  const position = wrapped ?? three('', 'u') ?? scaled(three('', 'su'));
  if (!position)
    throw new CorpuscleError(
      'FILE_FORMAT',
      `'${dump.file}' has no positions: columns x y z, xs ys zs, xu yu zu or xsu ysu zsu are needed`,
      { location: { file: dump.file, line: dump.firstLine - 1, column: 1 } },
    );
  // Unwrapped positions are their own: flags beside them count what is in them already.
  const image = wrapped ? three('i') : new Int32Array(3 * count);
  return {
    count,
    lattice: header.lattice,
    origin: header.origin,
    periodic: header.periodic,
    ...typesOf(dump, column('type')),
    position,
    velocity: three('v'),
    force: three('f'),
    energy: column('c_pe'),
    id: column('id'),
    mass: column('mass'),
    charge: column('q'),
    molecule: column('mol'),
    image: image && Int32Array.from(image),
    extra: othersOf(dump, column),
    properties: new Map(),
    step: header.step,
    time: header.time,
    source: { file: dump.file, firstLine: dump.firstLine },
  };
}

/** Columns of numbers; others are told once. */
function othersOf(
  { others, told, options, file }: DumpFrame,
  column: (name: string) => Float64Array | null,
): Map<string, ExtraColumn> {
  const extra = new Map<string, ExtraColumn>();
  for (const name of others) {
    const values = column(name)!;
    if (!values.some(Number.isNaN)) extra.set(name, { type: 'R', width: 1, values });
    else if (!told.has(name))
      options.onNote?.(`'${file}': column ${name} is no numbers: it is left out`);
    told.add(name);
  }
  return extra;
}

function inBox(values: Float64Array, { lattice: m, origin }: DumpHeader): Float64Array {
  const out = new Float64Array(values.length);
  for (let k = 0; k < values.length; k += 3)
    for (let axis = 0; axis < 3; axis++)
      out[k + axis] =
        origin[axis]! +
        values[k]! * m[axis]! +
        values[k + 1]! * m[3 + axis]! +
        values[k + 2]! * m[6 + axis]!;
  return out;
}

/** Types by the names of elements, else by the numbers of LAMMPS, which count from 1. */
function typesOf(
  { header, names, species, options, file }: DumpFrame,
  numbers: Float64Array | null,
) {
  const { count } = header;
  const type = new Uint32Array(count);
  if (names.length > 0) {
    for (let k = 0; k < count; k++) {
      let index = species.indexOf(names[k]!);
      if (index < 0) index = species.push(names[k]!) - 1;
      if (species.length > limits.species) tooMany(file);
      type[k] = index;
    }
    return { type, species: [...species] };
  }
  const known = options.types ?? [];
  let most = known.length > 0 ? known.length : 1;
  for (let k = 0; k < count; k++) {
    type[k] = numbers ? numbers[k]! - 1 : 0;
    if (type[k]! >= most) most = type[k]! + 1;
  }
  if (known.length > 0 && most > known.length)
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `'${file}' has type ${most}, and there are ${known.length} particle types: ${known.join(', ')}`,
    );
  if (most > limits.species) tooMany(file);
  while (species.length < most) species.push(known[species.length] ?? String(species.length + 1));
  return { type, species: [...species] };
}

function tooMany(file: string): never {
  throw new CorpuscleError('FILE_FORMAT', `'${file}' has more than ${limits.species} types`);
}
