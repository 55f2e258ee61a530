/**
 * Helpers of functors that find the nearest image of a difference by rounding lattice coordinates: that is exact within half the smallest
 * height of the box, and in every orthorhombic one.
 *
 *   a = turns(x, y, z, column of the inverse),  …        x′ = without(x, a, b, c, column of the matrix),  …
 */
export const nearestImage = {
  /** Whole lattice vectors along one axis in a difference. */
  turns: (x: number, y: number, z: number, ix: number, iy: number, iz: number): number =>
    Math.floor(x * ix + y * iy + z * iz + 0.5),
  /** Whole lattice vectors along one axis below a place, seen from the origin of the box. */
  below: (x: number, y: number, z: number, ix: number, iy: number, iz: number): number =>
    Math.floor(x * ix + y * iy + z * iz),
  /** A component of the difference without so many lattice vectors. */
  without: (
    x: number,
    a: number,
    b: number,
    c: number,
    ma: number,
    mb: number,
    mc: number,
  ): number => x - (a * ma + b * mb + c * mc),
} as const;
