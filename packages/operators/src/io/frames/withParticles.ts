import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/**
 * Gives positions of a file the types, ids, masses and charges of the particles that are there, in the order of their ids. Host
 * blocks must be current.
 *
 * @throws CorpuscleError FILE_FORMAT when the numbers of particles differ.
 */
export function withParticles(
  frame: ParticleFrame,
  grid: Grid,
  species: readonly string[],
): ParticleFrame {
  if (frame.count !== grid.count)
    throw new CorpuscleError(
      'FILE_FORMAT',
      `a frame has ${frame.count} particles, and there are ${grid.count}: read types and ids from the file that belongs to it`,
    );
  const rows = grid.rowsById();
  const column = (name: string) => {
    const array = grid.block(name).array;
    return Float64Array.from(rows, (row) => Number(array[row]));
  };
  return {
    ...frame,
    species,
    type: Uint32Array.from(column('type')),
    id: column('id'),
    mass: column('mass'),
    charge: column('charge'),
  };
}
