import type { ParticleFrame } from '@corpuscle/operators';

/** Particles of one type A at given places; with `lattice` (nine numbers) in a periodic box, else open. */
export function frameOfPositions(
  positions: readonly number[] | readonly (readonly number[])[],
  lattice: readonly number[] | null = null,
  parts: Partial<ParticleFrame> = {},
): ParticleFrame {
  const position = Float64Array.from(positions.flat());
  const count = position.length / 3;
  const periodic = lattice !== null;
  return {
    count,
    lattice,
    origin: [0, 0, 0],
    periodic: [periodic, periodic, periodic],
    species: ['A'],
    type: new Uint32Array(count),
    position,
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
    ...parts,
  };
}
