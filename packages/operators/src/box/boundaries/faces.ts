import { CorpuscleError, type Domain } from '@corpuscle/core';

/** The six faces of a box: the lower and the upper one along each lattice vector. */
const faceNames = ['xlo', 'xhi', 'ylo', 'yhi', 'zlo', 'zhi'] as const;
export type FaceName = (typeof faceNames)[number];

/** A face: along which lattice vector, and whether the upper one. */
export interface Face {
  readonly axis: 0 | 1 | 2;
  readonly isUpper: boolean;
}

export const faceOf = (name: FaceName): Face => {
  const k = faceNames.indexOf(name);
  return { axis: Math.floor(k / 2) as 0 | 1 | 2, isUpper: k % 2 === 1 };
};

/** Slot of operators that act at faces. */
export const facesSlot = {
  type: 'list',
  of: { type: 'enum', values: faceNames },
  required: true,
} as const;

/** @throws CorpuscleError INVALID_VALUE for a face where space repeats. */
export function checkFaces(
  operator: string,
  names: readonly FaceName[],
  { periodic }: Domain,
): void {
  const name = names.find((face) => periodic[faceOf(face).axis]);
  if (name === undefined) return;
  const axes = periodic.map((flag, k) => flag && !names.some((face) => faceOf(face).axis === k));
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${operator} acts at ${name}, and the box is periodic along ${name[0]}: put change_box: { periodic: [${axes.join(', ')}], remap: none } into setup_system`,
  );
}

/** A point of a face, and its unit normal, which points into the box. */
export function planeOf(domain: Domain, { axis, isUpper }: Face) {
  const { inverse, heights, matrix, origin } = domain;
  const sign = isUpper ? -1 : 1;
  const [nx, ny, nz] = [0, 1, 2].map((k) => sign * inverse[3 * k + axis]! * heights[axis]);
  const at = isUpper ? 1 : 0;
  const [px, py, pz] = [0, 1, 2].map((k) => origin[k]! + at * matrix[3 * axis + k]!);
  return { px: px!, py: py!, pz: pz!, nx: nx!, ny: ny!, nz: nz! };
}
