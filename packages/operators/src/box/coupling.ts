import { CorpuscleError, type Domain, type EntrySpec } from '@corpuscle/core';
import type { BoxPart } from './claimBox.js';

/** Which numbers of a box follow a pressure: its size, its three lengths, or lengths and tilts. */
export type BoxCoupling = 'iso' | 'aniso' | 'triclinic';

/**
 * The same with two lengths that change together by the mean of their pressures and the third by its own, or with one length alone;
 * and with two lengths of which each has its own pressure (`x,y`) or both that of both (`x=y`), while the third stays.
 */
export type BarostatCoupling =
  | BoxCoupling
  | ('xy' | 'xz' | 'yz' | Axis)
  | ('x,y' | 'x,z' | 'y,z')
  | ('x=y' | 'x=z' | 'y=z');

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

/** Which lengths follow a pressure at all. */
export const pressureAxesSlot = {
  type: 'enum',
  values: ['x', 'y', 'z', 'xy', 'xz', 'yz', 'xyz'],
  doc: 'with coupling iso or aniso: the lengths that follow the pressure (without it all three), together or each for itself; the others stay, and space need not repeat along them',
} as const satisfies EntrySpec;

/** What a barostat is told of its coupling; what is absent has its default. */
interface CouplingSlots {
  readonly coupling?: string | undefined;
  readonly axes?: (typeof pressureAxesSlot.values)[number] | undefined;
}

/** The coupling of a barostat by its slots. */
export function couplingOf({
  coupling = 'iso',
  axes: lengths = 'xyz',
}: CouplingSlots): BarostatCoupling {
  if (lengths === 'xyz') return coupling as BarostatCoupling;
  return [...lengths].join(coupling === 'iso' ? '=' : ',') as BarostatCoupling;
}

/** What is wrong with these slots; null where nothing is. */
export const wrongAxes = ({
  coupling = 'iso',
  axes: lengths = 'xyz',
}: CouplingSlots): string | null =>
  lengths === 'xyz' || coupling === 'iso' || coupling === 'aniso'
    ? null
    : `axes goes with coupling: iso or aniso; coupling: ${coupling} says itself which lengths change`;

/** For each axis, the axes whose mean pressure its length follows; none where it stays as it is. */
export const coupledAxes = (coupling: BarostatCoupling): readonly (readonly Axis[])[] =>
  axes.map((axis) => {
    if (coupling === 'iso') return axes;
    if (coupling.length === 1) return coupling === axis ? [axis] : [];
    if (coupling.length === 3) {
      const [first, sign, second] = coupling;
      if (axis !== first && axis !== second) return [];
      return sign === '=' ? ([first, second] as Axis[]) : [axis];
    }
    return coupling.length === 2 && coupling.includes(axis) ? ([...coupling] as Axis[]) : [axis];
  });

/** The lengths and tilts that a barostat moves. */
export function movedBy(coupling: BarostatCoupling): readonly BoxPart[] {
  if (coupling === 'triclinic') return ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'];
  const lengths = ['xx', 'yy', 'zz'] as const;
  return lengths.filter((_, k) => coupledAxes(coupling)[k]!.length > 0);
}

type Axis = (typeof axes)[number];
const axes = ['x', 'y', 'z'] as const;

/**
 * @param what asks for it, such as "a barostat".
 * @param strains whether lengths change by strains along the axes, which turn the lattice vectors of a box that leans
 * @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for.
 */
export function checkCoupling(
  domain: Domain,
  coupling: BarostatCoupling,
  what: string,
  { strains = false } = {},
): void {
  const open = axes.find((_, k) => !domain.periodic[k] && coupledAxes(coupling)[k]!.length > 0);
  if (open)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${what} changes the length along ${open}, where the box is not periodic: change pbc, or leave that length as it is`,
    );
  if (coupling !== 'iso' && !isStandard(domain))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `coupling: ${coupling.length === 3 ? 'iso and aniso with axes' : coupling} needs a along x and b in the xy plane: turn the box, or use coupling: iso`,
    );
  if (strains && keepsDirections(coupling, domain))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `coupling: ${coupling} of ${what} needs a box along x, y and z: use coupling: triclinic, or iso`,
    );
}

/**
 * Whether lengths change each for itself in a box that leans: then its lattice vectors keep their directions. Tilt xy goes with
 * length y, xz and yz go with length z, as in LAMMPS.
 */
export const keepsDirections = (coupling: BarostatCoupling, domain: Domain): boolean =>
  coupling !== 'iso' && coupling !== 'triclinic' && !domain.isOrthorhombic;

/** How far b leans along x, and c along x and y, in heights of a box; 0 where a does not lie along x, or b not in the xy plane. */
export function leansOf(domain: Domain): readonly [number, number, number] {
  const m = domain.matrix;
  return isStandard(domain) ? [m[3]! / m[4]!, m[6]! / m[8]!, m[7]! / m[8]!] : [0, 0, 0];
}

/** The point that lengths change about: the center of a box without its tilts, as LAMMPS has it, so that these do not move it. */
export const fixedPoint = (domain: Domain): number[] =>
  isStandard(domain)
    ? domain.origin.map((x, k) => x + domain.matrix[4 * k]! / 2)
    : domain.toCartesian(0.5, 0.5, 0.5);

/** Whether a lies along x and b in the xy plane. */
export const isStandard = ({ matrix }: Domain): boolean =>
  matrix[1] === 0 && matrix[2] === 0 && matrix[5] === 0;
