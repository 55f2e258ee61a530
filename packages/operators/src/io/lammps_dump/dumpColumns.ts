import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { TextColumn } from '../text/textTable.js';
import { memoryOf } from '../thread/spareMemory.js';

/** Columns of a dump by the names that LAMMPS gives them; `c_pe` is the energy of each particle, `c_stress` its stress. */
export const dumpColumns = [
  ...['id', 'mol', 'type', 'element', 'mass', 'q', 'x', 'y', 'z', 'xs', 'ys', 'zs'],
  ...['xu', 'yu', 'zu', 'ix', 'iy', 'iz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz', 'c_pe'],
  ...['c_stress[1]', 'c_stress[2]', 'c_stress[3]', 'c_stress[4]', 'c_stress[5]', 'c_stress[6]'],
] as const;

const AXES = ['x', 'y', 'z'];

/**
 * The words of a column; null when the frame does not have what it needs.
 * @param frame with a box, in the form of `standardBox`
 * @param firstId added to ids, as LAMMPS has none that is 0
 */
export function dumpColumn(frame: ParticleFrame, name: string, firstId: number): TextColumn | null {
  const { id, type, species, position, count } = frame;
  const number = (values: ArrayLike<number> | null | undefined, stride = 1, from = 0) =>
    values ? { values, stride, from } : null;
  switch (name) {
    case 'id':
      return { values: sums(id ?? Float64Array.from({ length: count }, (_, k) => k), firstId) };
    case 'type':
      return { values: sums(type, 1) };
    case 'element':
      return { values: type, names: species };
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

function sums(values: ArrayLike<number>, by: number): Float64Array {
  const out = new Float64Array(memoryOf(8 * values.length));
  for (let k = 0; k < out.length; k++) out[k] = values[k]! + by;
  return out;
}

/** Coordinates along a, b, c: the matrix of the box is triangular. */
function scaledColumn(frame: ParticleFrame, axis: number): TextColumn {
  const { position, lattice, origin, count } = frame;
  const [lx, , , xy, ly, , xz, yz, lz] = lattice! as number[];
  const values = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const [x, y, z] = [0, 1, 2].map((c) => position[3 * k + c]! - origin[c]!);
    const c = z! / lz!;
    const b = (y! - c * yz!) / ly!;
    values[k] = [(x! - b * xy! - c * xz!) / lx!, b, c][axis]!;
  }
  return { values };
}

function unwrappedColumn(frame: ParticleFrame, axis: number): TextColumn | null {
  const { position, lattice, image, count } = frame;
  if (!image) return null;
  const values = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    let value = position[3 * k + axis]!;
    for (let v = 0; v < 3; v++) value += image[3 * k + v]! * lattice![3 * v + axis]!;
    values[k] = value;
  }
  return { values };
}

/** Columns of a frame when none are chosen: everything it holds. */
export function presentColumns(frame: ParticleFrame): readonly string[] {
  const three = (prefix: string) => AXES.map((axis) => `${prefix}${axis}`);
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
