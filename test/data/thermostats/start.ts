// 256 particles of two masses on a disturbed crystal, moving: where runs with thermostats begin.

/** Edge of the box. */
export const EDGE = 6.718384763729186; // density 0.8442

export interface Start {
  /** x, y, z of all particles. */
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
  /** 0 or 1. */
  readonly types: readonly number[];
}

/** Masses of both types. */
export const MASSES = [1, 2.5] as const;

/** The same numbers for us and for LAMMPS. */
export function start(): Start {
  const basis = [
    [0, 0, 0],
    [0.5, 0.5, 0],
    [0.5, 0, 0.5],
    [0, 0.5, 0.5],
  ] as const;
  const sites = Array.from({ length: 64 }, (_, k) => [k & 3, (k >> 2) & 3, k >> 4] as const);
  const places = sites.flatMap((cell) =>
    basis.map((site) => site.map((s, axis) => ((cell[axis]! + s + 0.25) * EDGE) / 4)),
  );
  const positions = places.flat().map((x, k) => x + 0.04 * Math.sin(12.9898 * (k + 1) ** 2));
  const types = places.map((_, k) => (k % 3 === 0 ? 1 : 0));
  const raw = positions.map((_, k) => 2 * Math.sin(78.233 * (k + 1) ** 2));
  const mass = types.map((type) => MASSES[type]!);
  const total = mass.reduce((sum, m) => sum + m, 0);
  const drift = [0, 1, 2].map(
    (axis) => mass.reduce((sum, m, k) => sum + m * raw[3 * k + axis]!, 0) / total,
  );
  return { positions, types, velocities: raw.map((v, k) => v - drift[k % 3]!) };
}
