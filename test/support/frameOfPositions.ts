import type { ParticleFrame } from '@corpuscle/operators';

/** Particles of one type A at given places; with `lattice` (nine numbers) in a periodic box, else open. */
export function frameOfPositions(
  positions: readonly (readonly number[])[],
  lattice: readonly number[] | null = null,
  parts: Partial<ParticleFrame> = {},
): ParticleFrame {
  const periodic = lattice !== null;
  return {
    count: positions.length,
    lattice,
    origin: [0, 0, 0],
    periodic: [periodic, periodic, periodic],
    species: ['A'],
    type: new Uint32Array(positions.length),
    position: Float64Array.from(positions.flat()),
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
    ...parts,
  };
}
