import { writeWhole } from '@corpuscle/core';
import { formatVti, type VtiEncoding } from './formatVti.js';
import type { Projection } from './projectParticles.js';

/**
 * Writes a projection as a VTK image, for ParaView and its like. The file appears when it is complete.
 *
 * @throws CorpuscleError UNWRITABLE
 * @example
 * await writeVti('density.vti', await projectParticles(grid, ctx, { fields: ['density'] }));
 */
export function writeVti(
  file: string,
  projection: Projection,
  encoding?: VtiEncoding,
): Promise<void> {
  return writeWhole(file, formatVti(projection, encoding));
}
