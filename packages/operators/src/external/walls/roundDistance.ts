/** Helpers of functors of spheres and cylinders: distances from a center, or from a line through it along a unit vector e. */
export const roundDistance = {
  /** How far along the line a difference goes; 0 for a sphere, whose e is 0. */
  along: (x: number, y: number, z: number, ex: number, ey: number, ez: number): number =>
    x * ex + y * ey + z * ez,
  /** The length of what is across the line. */
  rho: (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z),
} as const;
