import { AtomicOutput } from '@corpuscle/core';
import { formatVti, type VtiEncoding } from './formatVti.js';
import type { Projection } from './projectParticles.js';

/**
 * Writes a projection as a VTK image, for ParaView and its like. The file appears when it is complete.
 *
 * @throws CorpuscleError UNWRITABLE
 * @example
 * writeVti('density.vti', await projectParticles(grid, ctx, { fields: ['density'] }));
 */
export function writeVti(file: string, projection: Projection, encoding?: VtiEncoding): void {
  const output = new AtomicOutput();
  try {
    const out = output.open(file);
    for (const text of formatVti(projection, encoding)) out.write(text);
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}
