import { CorpuscleError, type Domain } from '@corpuscle/core';

/** A crystal in any orientation. */
export interface CrystalPlaces {
  readonly latticeConstant: number;
  /** Lattice vectors by rows, in lattice constants. */
  readonly vectors: readonly (readonly number[])[];
  /** Sites of a cell, in parts of the lattice vectors. */
  readonly basis: readonly (readonly number[])[];
  /** Directions of the crystal that lie along x, y and z; at right angles to each other. */
  readonly orient?: readonly (readonly number[])[];
  /** Where a site of the basis at 0 0 0 is. Default the origin of space. */
  readonly origin?: readonly number[];
}

/** Parts of a lattice vector by which a place may be off the box by rounding. */
const EDGE = 1e-9;

/**
 * Places of a crystal in a box: those on the lower faces belong to it, those on the upper ones do not, so that whole cells fill whole boxes.
 * @throws CorpuscleError INVALID_VALUE for vectors in a plane, directions that are not at right angles or left-handed, more than 10⁸ places
 */
export function latticePlaces(domain: Domain, crystal: CrystalPlaces): [number, number, number][] {
  const { basis, vectors, latticeConstant, origin = [0, 0, 0] } = crystal;
  const axes = axesOf(crystal);
  // As LAMMPS rounds, whose random velocities of places are of their bits.
  const offset = (s: readonly number[]) => {
    const at = [0, 1, 2].map((k) => dot(s, [vectors[0]![k]!, vectors[1]![k]!, vectors[2]![k]!]));
    const scaled = at.map((x) => x * latticeConstant);
    return axes ? axes.map((axis) => dot(axis, scaled)) : scaled;
  };
  const inverse = inverseOf([offset([1, 0, 0]), offset([0, 1, 0]), offset([0, 0, 1])]);
  const ranges = rangesOf(domain, inverse, origin);
  const total = ranges.reduce((product, [low, high]) => product * (high - low + 1), basis.length);
  if (total > 1e8)
    throw invalid(`the lattice would have ${total} places: enlarge lattice_constant`);
  const places: [number, number, number][] = [];
  const [ra, rb, rc] = ranges as [Range, Range, Range];
  for (let c = rc[0]; c <= rc[1]; c++)
    for (let b = rb[0]; b <= rb[1]; b++)
      for (let a = ra[0]; a <= ra[1]; a++)
        for (const site of basis) {
          const [x, y, z] = offset([a + site[0]!, b + site[1]!, c + site[2]!]);
          const at: [number, number, number] = [x! + origin[0]!, y! + origin[1]!, z! + origin[2]!];
          if (isWithin(domain, at)) places.push(at);
        }
  return places;
}

type Range = readonly [number, number];

const dot = (a: readonly number[], b: readonly number[]): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** Directions of the crystal along x, y and z, of length 1; null where they are its own. */
function axesOf({ orient }: CrystalPlaces): number[][] | null {
  if (!orient) return null;
  const axes = orient.map((direction) => {
    const length = Math.sqrt(dot(direction, direction));
    if (!(length > 0))
      throw invalid('a direction of orient is 0: give three directions of the crystal');
    return direction.map((x) => x / length);
  });
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const)
    if (Math.abs(dot(axes[i]!, axes[j]!)) > 1e-9)
      throw invalid('the directions of orient are not at right angles: give three that are');
  const [x, y, z] = axes as [number[], number[], number[]];
  if (!(dot(cross(x, y), z) > 0))
    throw invalid(
      'the directions of orient are left-handed, which would mirror the crystal: exchange two, or turn one round',
    );
  return axes;
}

const cross = (u: readonly number[], v: readonly number[]): number[] => [
  u[1]! * v[2]! - u[2]! * v[1]!,
  u[2]! * v[0]! - u[0]! * v[2]!,
  u[0]! * v[1]! - u[1]! * v[0]!,
];

function inverseOf(m: readonly (readonly number[])[]): number[][] {
  const [a, b, c] = m as [number[], number[], number[]];
  const normals = [cross(b, c), cross(c, a), cross(a, b)];
  const volume = a.reduce((sum, x, k) => sum + x * normals[0]![k]!, 0);
  if (!(Math.abs(volume) > 0))
    throw invalid('the lattice vectors lie in a plane: give three that do not');
  return [0, 1, 2].map((k) => normals.map((normal) => normal[k]! / volume));
}

/** Cells of the crystal that the corners of the box lie between, and one more on either side. */
function rangesOf(domain: Domain, inverse: number[][], origin: readonly number[]): Range[] {
  const corners = Array.from({ length: 8 }, (_, k) =>
    domain.toCartesian(k & 1, (k >> 1) & 1, k >> 2),
  ).map((corner) => {
    const d = corner.map((x, axis) => x - origin[axis]!);
    return [0, 1, 2].map(
      (k) => d[0]! * inverse[0]![k]! + d[1]! * inverse[1]![k]! + d[2]! * inverse[2]![k]!,
    );
  });
  return [0, 1, 2].map((k) => {
    const along = corners.map((corner) => corner[k]!);
    return [Math.floor(Math.min(...along)) - 1, Math.ceil(Math.max(...along)) + 1];
  });
}

function isWithin(domain: Domain, at: readonly [number, number, number]): boolean {
  const s = domain.toFractional(...at);
  return s.every((x) => x >= -EDGE && x < 1 - EDGE);
}

const invalid = (message: string) => new CorpuscleError('INVALID_VALUE', message);
