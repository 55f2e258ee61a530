import { Domain } from '@corpuscle/core';
import type { ValueReference } from '../value/ContextValue.js';

/** Names of how lengths of a box have grown, and of how far b leans along x, and c along x and y, in heights of the box. */
const formNames = ['ex', 'ey', 'ez', 'tyx', 'tzx', 'tzy'] as const;
/** Lengths and tilts of a box by the names of their strains, and where they are in its matrix. */
const partPlaces = { xx: 0, yy: 4, zz: 8, yx: 3, zx: 6, zy: 7 } as const;
/** One of them. */
export type PrescribedName = keyof typeof partPlaces;

/**
 * What the host prescribes of a box with a along x and b in the xy plane, where values decide the rest. Lengths and tilts are
 * those of straight lattice vectors S, of which the box has whole combinations, B · S.
 */
export interface PrescribedPart {
  readonly own: readonly PrescribedName[];
  /** B, by rows. */
  readonly basis: readonly number[];
  /** Lengths that have grown by 0. */
  readonly lengths: readonly number[];
  /** Where the form of the box is to be noted. */
  readonly form: Readonly<Record<(typeof formNames)[number], ValueReference>>;
}

/** Where the numbers of a form lie, in the order of the functor that writes them. */
export const formPlaces = ({ form }: PrescribedPart): number[] =>
  formNames.map((name) => form[name].values.parameter(form[name].at));

/** The straight lattice vectors of a box. */
const straightOf = ({ matrix }: Domain, basis: readonly number[]): number[] =>
  times(Domain.triclinic(basis).inverse, matrix);

/** A box with the lengths and tilts that are prescribed, and otherwise its own. @param whole has the prescribed ones */
export function partlyPrescribed(box: Domain, whole: Domain, part: PrescribedPart): Domain {
  const matrix = straightOf(box, part.basis);
  const origin = [...box.origin] as [number, number, number];
  for (const name of part.own) {
    const at = partPlaces[name];
    matrix[at] = whole.matrix[at]!;
    if (at % 4 === 0) origin[at / 4] = whole.origin[at / 4]!;
  }
  return Domain.triclinic(times(part.basis, matrix), { origin, periodic: box.periodic });
}

/**
 * Parameters of `prescribePart`: what the strain from a reference box is where it is prescribed.
 *
 *   S = R · (1 + E)      S_yx = R_yx (1 + xx) + R_yy yx, and so on
 */
export function partParams(
  reference: Domain,
  whole: Domain,
  { own, basis, lengths }: PrescribedPart,
) {
  const r = straightOf(reference, basis);
  const leaning = leansIn(reference.matrix);
  const [ax, ay, az] = reference.origin;
  const is = (name: PrescribedName) => (own.includes(name) ? 1 : 0);
  const [rx, ry, rz] = [r[0]!, r[4]!, r[8]!];
  const by = (at: number, height: number) => (whole.matrix[at]! - r[at]!) / height;
  const [lyx, lzx, lzy] = leansIn(r);
  return {
    ...{ isXx: is('xx'), isYy: is('yy'), isZz: is('zz') },
    ...{ isYx: is('yx'), isZx: is('zx'), isZy: is('zy') },
    ...{ xx: by(0, rx), yy: by(4, ry), zz: by(8, rz), yx: by(3, ry), zx: by(6, rz), zy: by(7, rz) },
    ...{ x: whole.origin[0] - ax, y: whole.origin[1] - ay, z: whole.origin[2] - az, ax, ay, az },
    ...{ lyx, lzx, lzy, myx: leaning[0], mzx: leaning[1], mzy: leaning[2] },
    ex: whole.matrix[0]! / lengths[0]! - 1,
    ey: whole.matrix[4]! / lengths[1]! - 1,
    ez: whole.matrix[8]! / lengths[2]! - 1,
  };
}

/** Tilts in heights. */
const leansIn = (m: readonly number[]): readonly [number, number, number] => [
  m[3]! / m[4]!,
  m[6]! / m[8]!,
  m[7]! / m[8]!,
];

/** The matrix A · B, by rows. */
const times = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((_, at) => {
    const row = 3 * Math.floor(at / 3);
    return [0, 1, 2].reduce((sum, k) => sum + a[row + k]! * b[3 * k + (at % 3)]!, 0);
  });
