import type { FieldBlock, Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { fieldUse } from '@corpuscle/functor/passes';

const cache = new WeakMap<Functor, WeakMap<Grid, readonly FieldBlock[]>>();

/** The blocks that a cell functor writes. */
export function blocksWritten(functor: Functor<'cell'>, grid: Grid): readonly FieldBlock[] {
  let byGrid = cache.get(functor);
  if (!byGrid) {
    byGrid = new WeakMap();
    cache.set(functor, byGrid);
  }
  let blocks = byGrid.get(grid);
  if (!blocks) {
    blocks = writtenBlocks(functor, grid);
    byGrid.set(grid, blocks);
  }
  return blocks;
}

/**
 * Notes at a call that it will write blocks. On a device the write itself may come much later; what depends on the
 * particles, as neighbor lists do, must know at once (`FieldBlock.writesAsked`).
 */
export function announce(blocks: readonly FieldBlock[]): void {
  for (let k = 0; k < blocks.length; k++) blocks[k]!.writesAsked++;
}

function writtenBlocks({ ir, spec }: Functor<'cell'>, grid: Grid): readonly FieldBlock[] {
  const fields = spec.kind === 'cell' ? Object.keys(spec.fields) : [];
  const names = ir ? [...(fieldUse(ir).writes.get('i') ?? [])] : fields;
  const stored = names.filter((name) => grid.hasField(name)).map((name) => grid.field(name).block);
  return [...new Set(stored)].map((name) => grid.block(name));
}
