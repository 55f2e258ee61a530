import { type Grid, imageFlags } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';

const clearImages = cellFunctor(
  {
    name: 'clear_images',
    fields: { ix: 'i32', iy: 'i32', iz: 'i32' },
    traits: { gpu: true },
  },
  (i, _p, h) => {
    i.ix = h.i32(0);
    i.iy = h.i32(0);
    i.iz = h.i32(0);
  },
);

/**
 * Image flags are counted from now on, if they are not already. Operators that read them ask in `prepare`: a run in which none does
 * pays nothing. Nothing is awaited.
 */
export function countImages(grid: Grid, ctx: ExecutionContext): void {
  if (grid.blocks.has(imageFlags.name)) return;
  grid.addBlock(imageFlags);
  // Where particles are on a device, so are the flags: it does not wait for the host to send them.
  computeCellParticles(grid, clearImages, ctx);
}

/** Image flags of a file, three a particle in the order of the rows, are counted on from. */
export function placeImages(grid: Grid, images: Int32Array): void {
  const block = grid.addBlock(imageFlags);
  const { array } = block;
  for (let row = 0; row < grid.count; row++)
    for (let axis = 0; axis < 3; axis++) array[4 * row + axis] = images[3 * row + axis]!;
  block.hostWritten();
}
