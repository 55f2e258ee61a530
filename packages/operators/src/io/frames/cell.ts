/** A box by the lengths of its edges and the cosines between them. */
export interface Cell {
  readonly lengths: readonly [number, number, number];
  /** Between b and c, c and a, a and b. */
  readonly cosines: readonly [number, number, number];
}

/** Lengths and angles of a lattice (rows a, b, c). */
export function cellOf(lattice: readonly number[]): Cell {
  const [a, b, c] = [lattice.slice(0, 3), lattice.slice(3, 6), lattice.slice(6, 9)];
  const dot = (p: readonly number[], q: readonly number[]) =>
    p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!;
  const norm = (p: readonly number[]) => Math.hypot(p[0]!, p[1]!, p[2]!);
  const lengths = [norm(a), norm(b), norm(c)] as const;
  const [la, lb, lc] = lengths;
  return {
    lengths,
    cosines: [dot(b, c) / (lb * lc), dot(c, a) / (lc * la), dot(a, b) / (la * lb)],
  };
}

/** The lattice with a along x and b in the plane of x and y; null when there is no such box. */
export function latticeOf({ lengths: [a, b, c], cosines }: Cell): readonly number[] | null {
  const [alpha, beta, gamma] = cosines;
  const ly = b * Math.sqrt(1 - gamma * gamma);
  const xz = c * beta;
  const yz = (b * c * alpha - b * gamma * xz) / ly;
  const lz = Math.sqrt(c * c - xz * xz - yz * yz);
  const lattice = [a, 0, 0, b * gamma, ly, 0, xz, yz, lz];
  return a > 0 && b > 0 && c > 0 && ly > 0 && lz > 0 ? lattice : null;
}

/** The cosine of an angle in degrees; that of 90 is exactly 0. */
export const cosineOf = (degrees: number): number =>
  degrees === 90 ? 0 : Math.cos((degrees * Math.PI) / 180);
