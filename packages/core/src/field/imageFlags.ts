import type { BlockSpec } from './FieldSpec.js';

/**
 * Image flags: whole boxes along a, b and c that were taken off a position when it was brought back into the box.
 *
 *   image   [ ix iy iz _ ]    unwrapped position = position + ix · a + iy · b + iz · c
 *
 * Engines count in grids that have this block, whenever they bring particles back. Code that moves a particle by whole boxes, or changes the
 * lattice vectors, changes the flags.
 *
 * @example
 * grid.addBlock(imageFlags);
 */
export const imageFlags: BlockSpec = {
  name: 'image',
  type: 'i32',
  width: 4,
  members: ['ix', 'iy', 'iz', null],
};
