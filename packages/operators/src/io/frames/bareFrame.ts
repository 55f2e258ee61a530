import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** A frame of a format that holds positions only: one type, ids in the order of the file. */
export function bareFrame(
  position: Float64Array,
  lattice: readonly number[] | null,
  types: readonly string[] | undefined,
): ParticleFrame {
  const isPeriodic = lattice !== null;
  const count = position.length / 3;
  return {
    count,
    lattice,
    origin: [0, 0, 0],
    periodic: [isPeriodic, isPeriodic, isPeriodic],
    species: [types?.[0] ?? 'X'],
    type: new Uint32Array(count),
    position,
    velocity: null,
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
  };
}
