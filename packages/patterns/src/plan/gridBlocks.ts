import type { FieldBlock, Grid } from '@corpuscle/core';
import type { FieldSchema, Functor } from '@corpuscle/functor';

const cache = new WeakMap<Functor, WeakMap<Grid, readonly FieldBlock[]>>();

/**
 * The blocks of a grid that a functor reads or writes; pairs also read positions.
 * @throws CorpuscleError UNKNOWN_FIELD for a field the grid does not have.
 */
export function gridBlocks(functor: Functor, grid: Grid): readonly FieldBlock[] {
  let byGrid = cache.get(functor);
  if (!byGrid) {
    byGrid = new WeakMap();
    cache.set(functor, byGrid);
  }
  let blocks = byGrid.get(grid);
  if (!blocks) {
    const { spec, kind } = functor;
    const names = kind === 'pair' || kind === 'neighborhood' ? ['rx'] : [];
    for (const schema of schemasOf(functor)) {
      // Outputs of a pair functor that the grid lacks can still be totals.
      const optional =
        (spec.kind === 'pair' && schema === spec.central) ||
        (spec.kind === 'neighborhood' && (schema === spec.central || schema === spec.scatter));
      names.push(...Object.keys(schema).filter((name) => !optional || grid.hasField(name)));
    }
    const blockNames = new Set(names.map((name) => grid.field(name).block));
    blocks = [...blockNames].map((name) => grid.block(name));
    byGrid.set(grid, blocks);
  }
  return blocks;
}

function schemasOf({ spec }: Functor): FieldSchema[] {
  if (spec.kind === 'pair') return [spec.central, spec.read, spec.neighbor];
  if (spec.kind === 'neighborhood') return [spec.central, spec.scatter, spec.read, spec.neighbor];
  if (spec.kind === 'cell') return [spec.fields, spec.read];
  if (spec.kind === 'reduce') return [spec.read];
  return [];
}
