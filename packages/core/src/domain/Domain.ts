import { CorpuscleError } from '@corpuscle/functor/error';
import { imageOffsets } from './images.js';
import { cross, dot, type ReadonlyVector, row, type Vector, voronoiVectors } from './lattice.js';

/** Choices of every domain; the defaults are periodic along all three vectors and the origin at 0. */
export interface DomainOptions {
  readonly periodic?: readonly [boolean, boolean, boolean];
  readonly origin?: ReadonlyVector;
}

const AXES = ['a', 'b', 'c'] as const;
/** `rcut` may exceed half a width by rounding only: heights of skewed cells carry a few ulp. */
const CUTOFF_SLACK = 1 + 1e-12;
/** Widths of the box that a cutoff may reach: tables of images grow with the third power. */
const MOST_WIDTHS = 15;

/** A length as messages tell it: digits that a human reads. */
const rounded = (length: number): number => Number(length.toPrecision(6));
/** Images up to twice as far, as skins may double the reach. */
const MOST_IMAGES = (4 * MOST_WIDTHS + 3) ** 3 - 1;

/**
 * The box of a simulation: three lattice vectors, an origin, and whether space repeats along each vector.
 *
 *   matrix = [ax ay az | bx by bz | cx cy cz]      r = origin + s · matrix,   0 ≤ s < 1 inside
 *
 * Lengths are in the units of the simulation. Instances never change; a new box is a new Domain.
 *
 * @example
 * const box = Domain.orthorhombic([10, 10, 20]);
 * box.minimumImage(9, 0, 0); // [-1, 0, 0]
 */
export class Domain {
  /** Rows a, b, c. */
  readonly matrix: readonly number[];
  /** Inverse of `matrix`: s = (r − origin) · inverse. */
  readonly inverse: readonly number[];
  readonly origin: ReadonlyVector;
  readonly periodic: readonly [boolean, boolean, boolean];
  readonly volume: number;
  /** Perpendicular widths: the distance between the two faces that each lattice vector joins. */
  readonly heights: ReadonlyVector;
  /** Whether the lattice vectors lie along x, y and z. */
  readonly isOrthorhombic: boolean;
  #faces: readonly Vector[] | null = null;

  private constructor(matrix: readonly number[], options: DomainOptions) {
    const origin = options.origin ?? [0, 0, 0];
    checkNumbers(matrix, 9, 'a domain matrix');
    checkNumbers(origin, 3, 'a domain origin');
    const [a, b, c] = [row(matrix, 0), row(matrix, 1), row(matrix, 2)];
    const normals = [cross(b, c), cross(c, a), cross(a, b)] as const;
    const determinant = dot(a, normals[0]);
    // Relative to the vectors' lengths, so that the test does not depend on the unit of length.
    const scale = Math.sqrt(dot(a, a) * dot(b, b) * dot(c, c));
    if (!(Math.abs(determinant) > 1e-12 * scale)) {
      const isFlat =
        Number.isFinite(scale) && (scale > 0 || [a, b, c].some((v) => !v.some(Boolean)));
      const why = isFlat
        ? 'has no volume: give three lattice vectors that do not lie in a plane'
        : `is too ${scale > 0 ? 'large' : 'small'}: its volume overflows, give lengths closer to 1`;
      throw new CorpuscleError('INVALID_VALUE', `the domain [${matrix.join(' ')}] ${why}`);
    }
    this.matrix = Object.freeze([...matrix]);
    this.isOrthorhombic = matrix.every((value, k) => k % 4 === 0 || value === 0);
    this.inverse = Object.freeze(
      this.isOrthorhombic
        ? matrix.map((value, k) => (k % 4 === 0 ? 1 / value : 0))
        : [0, 1, 2].flatMap((k) => normals.map((normal) => normal[k]! / determinant)),
    );
    this.origin = [origin[0], origin[1], origin[2]];
    this.periodic = [...(options.periodic ?? ([true, true, true] as const))];
    this.volume = Math.abs(determinant);
    this.heights = this.isOrthorhombic
      ? [Math.abs(a[0]), Math.abs(b[1]), Math.abs(c[2])]
      : [this.#height(normals[0]), this.#height(normals[1]), this.#height(normals[2])];
  }

  #height(normal: Vector): number {
    return this.volume / Math.sqrt(dot(normal, normal));
  }

  /**
   * A box along x, y and z.
   * @throws CorpuscleError INVALID_VALUE when a length is not a positive number.
   */
  static orthorhombic(lengths: ReadonlyVector, options: DomainOptions = {}): Domain {
    lengths.forEach((length, k) => {
      if (!(length > 0) || !Number.isFinite(length)) {
        throw new CorpuscleError(
          'INVALID_VALUE',
          `the box length along ${'xyz'[k]} is ${length}: give a positive number`,
        );
      }
    });
    return new Domain([lengths[0], 0, 0, 0, lengths[1], 0, 0, 0, lengths[2]], options);
  }

  /**
   * A box of any three lattice vectors, given by rows; any orientation and handedness, orthorhombic ones too.
   * @throws CorpuscleError INVALID_VALUE when the vectors are not nine finite numbers or lie in a plane.
   */
  static triclinic(matrix: readonly number[], options: DomainOptions = {}): Domain {
    return new Domain(matrix, options);
  }

  /** A domain without periodic axes. Bounds are a hint only: engines take the particles' own extent. */
  static open(bounds: { lower: ReadonlyVector; upper: ReadonlyVector } = UNIT): Domain {
    const { lower, upper } = bounds;
    checkNumbers([...lower, ...upper], 6, 'the bounds of an open domain');
    // A flat or linear cloud of particles still gets a box with a volume.
    const length = (k: 0 | 1 | 2) => (upper[k] > lower[k] ? upper[k] - lower[k] : 1);
    return Domain.orthorhombic([length(0), length(1), length(2)], {
      periodic: [false, false, false],
      origin: lower,
    });
  }

  /** Lattice coordinates of a point: 0 … 1 inside the box. */
  toFractional(x: number, y: number, z: number, out: Vector = [0, 0, 0]): Vector {
    const m = this.inverse;
    const dx = x - this.origin[0];
    const dy = y - this.origin[1];
    const dz = z - this.origin[2];
    out[0] = dx * m[0]! + dy * m[3]! + dz * m[6]!;
    out[1] = dx * m[1]! + dy * m[4]! + dz * m[7]!;
    out[2] = dx * m[2]! + dy * m[5]! + dz * m[8]!;
    return out;
  }

  /** The point with the given lattice coordinates. */
  toCartesian(sa: number, sb: number, sc: number, out: Vector = [0, 0, 0]): Vector {
    const m = this.matrix;
    out[0] = this.origin[0] + sa * m[0]! + sb * m[3]! + sc * m[6]!;
    out[1] = this.origin[1] + sa * m[1]! + sb * m[4]! + sc * m[7]!;
    out[2] = this.origin[2] + sa * m[2]! + sb * m[5]! + sc * m[8]!;
    return out;
  }

  /**
   * The point's image inside the box (0 ≤ s < 1) along periodic axes; open axes are left alone.
   * A point already inside comes back with the same bits.
   */
  wrap(x: number, y: number, z: number, out: Vector = [0, 0, 0]): Vector {
    const s = this.toFractional(x, y, z, out);
    const ka = this.periodic[0] ? Math.floor(s[0]) : 0;
    const kb = this.periodic[1] ? Math.floor(s[1]) : 0;
    const kc = this.periodic[2] ? Math.floor(s[2]) : 0;
    const m = this.matrix;
    out[0] = x - (ka * m[0]! + kb * m[3]! + kc * m[6]!);
    out[1] = y - (ka * m[1]! + kb * m[4]! + kc * m[7]!);
    out[2] = z - (ka * m[2]! + kb * m[5]! + kc * m[8]!);
    return out;
  }

  /**
   * Shift (Cartesian) of image `index` = (ka + 1) + 3 (kb + 1) + 9 (kc + 1), each k in −1 … 1; 13 is no shift. Images
   * farther away follow from 27 on, shell by shell.
   * @throws CorpuscleError INDEX_OUT_OF_RANGE for an index that is not a whole number from 0.
   */
  image(index: number): Vector {
    if (!Number.isInteger(index) || index < 0 || index > MOST_IMAGES) {
      throw new CorpuscleError(
        'INDEX_OUT_OF_RANGE',
        `image ${index} is not one of 0 … ${MOST_IMAGES}`,
      );
    }
    const [ka, kb, kc] = imageOffsets(index);
    const m = this.matrix;
    return [
      ka * m[0]! + kb * m[3]! + kc * m[6]!,
      ka * m[1]! + kb * m[4]! + kc * m[7]!,
      ka * m[2]! + kb * m[5]! + kc * m[8]!,
    ];
  }

  /**
   * The shortest of all periodic images of a difference vector, also in cells so skewed that rounding
   * lattice coordinates misses it. Exact up to rounding; ties may come out either way.
   */
  minimumImage(dx: number, dy: number, dz: number, out: Vector = [0, 0, 0]): Vector {
    const m = this.matrix;
    const s = this.inverse;
    const ka = this.periodic[0] ? Math.round(dx * s[0]! + dy * s[3]! + dz * s[6]!) : 0;
    const kb = this.periodic[1] ? Math.round(dx * s[1]! + dy * s[4]! + dz * s[7]!) : 0;
    const kc = this.periodic[2] ? Math.round(dx * s[2]! + dy * s[5]! + dz * s[8]!) : 0;
    out[0] = dx - (ka * m[0]! + kb * m[3]! + kc * m[6]!);
    out[1] = dy - (ka * m[1]! + kb * m[4]! + kc * m[7]!);
    out[2] = dz - (ka * m[2]! + kb * m[5]! + kc * m[8]!);
    if (!this.isOrthorhombic) this.#descend(out);
    return out;
  }

  // Iterative slicer: step along Voronoi vectors while that shortens d; at the end d lies in the Voronoi cell of 0.
  #descend(d: Vector): void {
    this.#faces ??= voronoiVectors(
      [0, 1, 2].filter((k) => this.periodic[k]).map((k) => row(this.matrix, k)),
    );
    for (let moved = true; moved; ) {
      moved = false;
      for (const v of this.#faces) {
        const ratio = dot(d, v) / dot(v, v);
        if (Math.abs(ratio) <= 0.5 + 1e-12) continue;
        const k = Math.round(ratio);
        d[0] -= k * v[0];
        d[1] -= k * v[1];
        d[2] -= k * v[2];
        moved = true;
      }
    }
  }

  /**
   * Checks that each pair has at most one image within `rcut`; exactly half the width is allowed.
   * @throws CorpuscleError BOX_TOO_THIN naming the axis, and INVALID_VALUE when rcut is not a positive number.
   */
  checkCutoff(rcut: number): void {
    this.#checkHeights(
      rcut,
      0.5,
      (height) => `exceeds half the box, which is ${height / 2}`,
      'enlarge the box or lower rcut',
    );
  }

  /**
   * Checks a cutoff of neighbor lists, which may hold several images of one neighbor.
   * @throws CorpuscleError BOX_TOO_THIN when rcut is more than 15 times the width of a periodic axis, naming it;
   *   INVALID_VALUE when rcut is not a positive number.
   */
  checkReach(rcut: number): void {
    this.#checkHeights(
      rcut,
      MOST_WIDTHS,
      (height) => `is more than ${MOST_WIDTHS} times the box, which is ${height}`,
      'repeat the box or lower rcut',
    );
  }

  #checkHeights(
    rcut: number,
    most: number,
    what: (height: number) => string,
    remedy: string,
  ): void {
    if (!(rcut > 0) || !Number.isFinite(rcut)) {
      throw new CorpuscleError('INVALID_VALUE', `rcut is ${rcut}: give a positive length`);
    }
    for (let k = 0; k < 3; k++) {
      const height = this.heights[k]!;
      if (!this.periodic[k] || rcut <= most * height * CUTOFF_SLACK) continue;
      const axis = this.isOrthorhombic ? 'xyz'[k] : AXES[k];
      throw new CorpuscleError(
        'BOX_TOO_THIN',
        `rcut ${rounded(rcut)} ${what(rounded(height))} along ${axis}: ${remedy}`,
      );
    }
  }

  /**
   * The largest radius that lists for `rcut` may have, whatever their skin: a whole number of widths of each periodic axis,
   * and at least 2 rcut. Up to half the width that is one width, and images −1 … +1 are enough.
   */
  widestRadius(rcut: number): number {
    const widths = (k: number) =>
      Math.max(1, Math.ceil((2 * rcut) / (this.heights[k]! * CUTOFF_SLACK)));
    return Math.min(
      ...[0, 1, 2].map((k) => (this.periodic[k] ? widths(k) * this.heights[k]! : Infinity)),
    );
  }

  /** How many boxes away images within `radius` of a particle in the box may be, along each axis; 0 along open ones. */
  imageReach(radius: number): Vector {
    const along = (k: number) =>
      this.periodic[k] ? Math.max(1, Math.ceil(radius / this.heights[k]!)) : 0;
    return [along(0), along(1), along(2)];
  }
}

const UNIT = { lower: [0, 0, 0], upper: [1, 1, 1] } as const;

function checkNumbers(values: readonly number[], length: number, what: string): void {
  if (values.length === length && values.every(Number.isFinite)) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${what} is [${values.join(' ')}]: give ${length} finite numbers`,
  );
}
