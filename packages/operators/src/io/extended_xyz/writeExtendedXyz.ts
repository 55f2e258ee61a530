import { type Grid, writeWhole } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { countImages } from '../../images/countImages.js';
import { extendedXyzPieces } from './formatExtendedXyz.js';
import { frameOf, type WriteField } from './frameOf.js';

/** What is written besides positions and box. */
export interface WriteExtendedXyzOptions {
  /** Names of the particle types, in the order of their indices. Default T0, T1, … */
  readonly types?: readonly string[];
  /** Columns beside the species, in this order. Default pos, velo, id. */
  readonly fields?: readonly WriteField[];
  /** Further key=value pairs of the comment line. */
  readonly properties?: Readonly<Record<string, string | number>>;
}

/**
 * Writes the particles of a grid to an extended xyz file of one frame, sorted by id; every number reads back to the same
 * f64. The file appears when it is complete. `forces` and `energy` are what the last force call left in the grid.
 *
 * @throws CorpuscleError UNWRITABLE; INVALID_VALUE when `fields` lacks pos.
 * @example
 * await writeExtendedXyz('last.xyz', grid, ctx, { types: ['A'], fields: ['pos', 'velo', 'id'] });
 */
export async function writeExtendedXyz(
  file: string,
  grid: Grid,
  ctx: ExecutionContext,
  options: WriteExtendedXyzOptions = {},
): Promise<void> {
  const { types = [], fields = ['pos', 'velo', 'id'], properties } = options;
  if (fields.includes('image')) countImages(grid, ctx);
  await newestOnHost(grid, ctx);
  const frame = frameOf(grid, types, fields, { properties });
  await writeWhole(file, extendedXyzPieces(frame));
}
