import { CorpuscleError, Domain } from '@corpuscle/core';

/** Names of the numbers of a strain: E by rows, where row a says what the component a of a vector adds to others, and T. */
export const strainNames = ['xx', 'yy', 'zz', 'yx', 'zx', 'zy', 'x', 'y', 'z'] as const;

/** They are reals, of functors. */
export const strainReals = Object.fromEntries(strainNames.map((name) => [name, 'real'])) as {
  readonly [N in (typeof strainNames)[number]]: 'real';
};

/** A strain as parameters of a functor. @param numbers in the order of `strainNames` */
export const strainParams = (numbers: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(strainNames.map((name, k) => [name, numbers[k]!]));

/** Names of the numbers of a box: its origin, its lattice vectors by rows, then the inverse by rows, with nothing in the columns of open axes. */
export const boxNames = [
  ...(['ox', 'oy', 'oz'] as const),
  ...(['mxx', 'mxy', 'mxz', 'myx', 'myy', 'myz', 'mzx', 'mzy', 'mzz'] as const),
  ...(['ixx', 'ixy', 'ixz', 'iyx', 'iyy', 'iyz', 'izx', 'izy', 'izz'] as const),
] as const;

/** Names of how fast its lattice vectors change, by rows. */
export const rateNames = [
  ...(['dxx', 'dxy', 'dxz', 'dyx', 'dyy', 'dyz', 'dzx', 'dzy', 'dzz'] as const),
] as const;

/** The numbers of a box, in the order of `boxNames`. */
export const boxNumbers = ({ origin, matrix, inverse, periodic }: Domain): number[] => [
  ...origin,
  ...matrix,
  ...inverse.map((x, at) => (periodic[at % 3] ? x : 0)),
];

/** Numbers of a strain, in the order of `strainNames`. */
type Nine = readonly [number, number, number, number, number, number, number, number, number];

/** Where a strain takes a point: r · (1 + E) + T. */
export function strainedPoint(
  [x, y, z]: readonly [number, number, number],
  numbers: readonly number[],
): [number, number, number] {
  const [xx, yy, zz, yx, zx, zy, tx, ty, tz] = numbers as Nine;
  return [x + (tx + (x * xx + y * yx + z * zx)), y + (ty + (y * yy + z * zy)), z + (tz + z * zz)];
}

/** Nine numbers by rows, M · (1 + E). */
export const strainedRows = (rows: readonly number[], numbers: readonly number[]): number[] => {
  const directions = [...numbers.slice(0, 6), 0, 0, 0];
  return [0, 3, 6].flatMap((k) =>
    strainedPoint([rows[k]!, rows[k + 1]!, rows[k + 2]!], directions),
  );
};

/** The strain from one box to another that keeps lattice coordinates, as long as no vector turns. */
export function strainTo(before: Domain, after: Domain): number[] {
  const map = (row: number, column: number) =>
    [0, 1, 2].reduce(
      (sum, k) => sum + before.inverse[3 * row + k]! * after.matrix[3 * k + column]!,
      0,
    );
  const grown = [map(0, 0) - 1, map(1, 1) - 1, map(2, 2) - 1, map(1, 0), map(2, 0), map(2, 1)];
  const moved = strainedPoint(before.origin as [number, number, number], [...grown, 0, 0, 0]);
  return [...grown, ...after.origin.map((x, k) => x - moved[k]!)];
}

/**
 * The box that a strain makes of another; it keeps the lattice coordinates of all particles.
 * @throws CorpuscleError NOT_FINITE where a run has lost its box.
 */
export function strainedBox(box: Domain, numbers: readonly number[]): Domain {
  if (numbers.every((number) => number === 0)) return box;
  if (!numbers.every(Number.isFinite))
    throw new CorpuscleError(
      'NOT_FINITE',
      'the run blew up: the lengths of its box are no numbers any more; lower dt, let the box follow its pressure more slowly, or start from a configuration without close pairs',
    );
  return Domain.triclinic(strainedRows(box.matrix, numbers), {
    origin: strainedPoint(box.origin as [number, number, number], numbers),
    periodic: box.periodic,
  });
}
