import { CorpuscleError } from '@corpuscle/core';
import { utf8 } from '@corpuscle/core/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { TextBuffer } from '../text/TextBuffer.js';

/** Columns of a dump by the names that LAMMPS gives them; `c_pe` is the energy of each particle, `c_stress` its stress. */
export const dumpColumns = [
  ...['id', 'mol', 'type', 'element', 'mass', 'q', 'x', 'y', 'z', 'xs', 'ys', 'zs'],
  ...['xu', 'yu', 'zu', 'ix', 'iy', 'iz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz', 'c_pe'],
  ...['c_stress[1]', 'c_stress[2]', 'c_stress[3]', 'c_stress[4]', 'c_stress[5]', 'c_stress[6]'],
] as const;

/** Writes the word of a particle. */
type Column = (text: TextBuffer, particle: number) => void;

const AXES = ['x', 'y', 'z'];

/**
 * How the words of a column are made; null when the frame does not have what it needs.
 * @param frame with a box, in the form of `standardBox`
 * @param firstId added to ids, as LAMMPS has none that is 0
 */
export function dumpColumn(frame: ParticleFrame, name: string, firstId: number): Column | null {
  const { id, type, species, position } = frame;
  const number = (values: ArrayLike<number> | null | undefined, width = 1, from = 0) =>
    values ? (text: TextBuffer, k: number) => text.number(values[width * k + from]!) : null;
  switch (name) {
    case 'id':
      return (text, k) => text.number((id ? id[k]! : k) + firstId);
    case 'type':
      return (text, k) => text.number(type[k]! + 1);
    case 'element':
      return elementColumn(species, type);
    case 'mol':
      return number(frame.molecule);
    case 'mass':
      return number(frame.mass);
    case 'q':
      return number(frame.charge);
    case 'c_pe':
      return number(frame.energy);
  }
  const stress = /^c_stress\[([1-6])\]$/.exec(name);
  const stresses = frame.extra.get('stress')?.values;
  if (stress && stresses) return number(stresses as Float64Array, 6, Number(stress[1]) - 1);
  const own = name.replace(/^d_/, '');
  const extra = frame.extra.get(own) ?? frame.extra.get(name);
  if (extra?.width === 1 && extra.values instanceof Float64Array) return number(extra.values);
  if (stress) return null;
  const axis = AXES.findIndex((letter) => name.includes(letter));
  if (/^[xyz]$/.test(name)) return number(position, 3, axis);
  if (/^v[xyz]$/.test(name)) return number(frame.velocity, 3, axis);
  if (/^f[xyz]$/.test(name)) return number(frame.force, 3, axis);
  if (/^i[xyz]$/.test(name)) return number(frame.image, 3, axis);
  if (/^[xyz]s$/.test(name)) return scaledColumn(frame, axis);
  if (/^[xyz]u$/.test(name)) return unwrappedColumn(frame, axis);
  throw new CorpuscleError(
    'INVALID_VALUE',
    `there is no column '${name}' of a dump: take from ${dumpColumns.join(', ')}`,
  );
}

function elementColumn(species: readonly string[], type: Uint32Array): Column {
  const words = species.map((name) => utf8(name));
  return (text, k) => text.bytes(words[type[k]!]!);
}

/** Coordinates along a, b, c: the matrix of the box is triangular. */
function scaledColumn({ position, lattice, origin }: ParticleFrame, axis: number): Column {
  const [lx, , , xy, ly, , xz, yz, lz] = lattice! as number[];
  return (text, k) => {
    const [x, y, z] = [0, 1, 2].map((c) => position[3 * k + c]! - origin[c]!);
    const c = z! / lz!;
    const b = (y! - c * yz!) / ly!;
    text.number([(x! - b * xy! - c * xz!) / lx!, b, c][axis]!);
  };
}

function unwrappedColumn({ position, lattice, image }: ParticleFrame, axis: number): Column | null {
  if (!image) return null;
  return (text, k) => {
    let value = position[3 * k + axis]!;
    for (let v = 0; v < 3; v++) value += image[3 * k + v]! * lattice![3 * v + axis]!;
    text.number(value);
  };
}

/** Columns of a frame when none are chosen: everything it holds. */
export function presentColumns(frame: ParticleFrame): readonly string[] {
  const three = (prefix: string, suffix = '') => AXES.map((axis) => `${prefix}${axis}${suffix}`);
  const isNumbered = frame.species.every((name, k) => name === String(k + 1));
  return [
    ...['id', 'type'],
    ...(isNumbered ? [] : ['element']),
    ...(frame.molecule ? ['mol'] : []),
    ...(frame.mass ? ['mass'] : []),
    ...(frame.charge ? ['q'] : []),
    ...three(''),
    ...(frame.image ? three('i') : []),
    ...(frame.velocity ? three('v') : []),
    ...(frame.force ? three('f') : []),
    ...(frame.energy ? ['c_pe'] : []),
    ...extraColumns(frame),
  ];
}

/** Columns of a frame that have no place of their own. */
export const extraColumns = ({ extra }: ParticleFrame): readonly string[] =>
  [...extra].flatMap(([name, { width, values }]) =>
    width === 1 && values instanceof Float64Array ? [columnName(name)] : [],
  );

/** What LAMMPS calls a number of one's own: `d_NAME`; its own names with a prefix stay. */
const columnName = (name: string): string => (/^[dicfv]2?_/.test(name) ? name : `d_${name}`);
