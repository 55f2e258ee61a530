import { CorpuscleError, type Domain, type EntrySpec } from '@corpuscle/core';

/** Which numbers of a box follow a pressure: its size, its three lengths, or lengths and tilts. */
export type BoxCoupling = 'iso' | 'aniso' | 'triclinic';

/** The same with two lengths that change together by the mean of their pressures and the third by its own, or with one length alone. */
export type BarostatCoupling = BoxCoupling | 'xy' | 'xz' | 'yz' | 'x' | 'y' | 'z';

/** Slots of whatever brings a box to a pressure: of minimizers, and of barostats. */
export const couplingSlot = {
  type: 'enum',
  values: ['iso', 'aniso', 'triclinic'],
  default: 'iso',
  doc: 'iso: the box only scales; aniso: three lengths; triclinic: lengths and tilts',
} as const satisfies EntrySpec;

export const barostatCouplingSlot = {
  ...couplingSlot,
  values: ['iso', 'aniso', 'xy', 'xz', 'yz', 'x', 'y', 'z', 'triclinic'],
  doc: 'iso: the box only scales; aniso: three lengths; xy, xz, yz: three lengths, of which two change together; x, y, z: one length, the others stay; triclinic: lengths and tilts',
} as const satisfies EntrySpec;

/** For each axis, the axes whose mean pressure its length follows; none where it stays as it is. */
export const coupledAxes = (coupling: BarostatCoupling): readonly (readonly Axis[])[] =>
  axes.map((axis) => {
    if (coupling === 'iso') return axes;
    if (coupling.length === 1) return coupling === axis ? [axis] : [];
    return coupling.length === 2 && coupling.includes(axis) ? ([...coupling] as Axis[]) : [axis];
  });

type Axis = (typeof axes)[number];
const axes = ['x', 'y', 'z'] as const;

/**
 * @param what asks for it, such as "a barostat".
 * @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for.
 */
export function checkCoupling(domain: Domain, coupling: BarostatCoupling, what: string): void {
  if (!domain.periodic.every(Boolean))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${what} needs a box that is periodic along all three vectors: change pbc, or leave it out`,
    );
  if (coupling !== 'iso' && coupling !== 'triclinic' && !domain.isOrthorhombic)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `coupling: ${coupling} needs a box along x, y and z: use coupling: triclinic, or iso`,
    );
  if (coupling === 'triclinic' && !isStandard(domain))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'coupling: triclinic needs a along x and b in the xy plane: turn the box, or use coupling: iso',
    );
}

/** Whether a lies along x and b in the xy plane. */
export const isStandard = ({ matrix }: Domain): boolean =>
  matrix[1] === 0 && matrix[2] === 0 && matrix[5] === 0;
