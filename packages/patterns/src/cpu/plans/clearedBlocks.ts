import type { FieldBlock, Grid } from '@corpuscle/core';
import type { FunctorIR } from '@corpuscle/functor/ir';

/** The blocks of a grid in which a cell functor makes every field 0, whatever was there. */
export function clearedBlocks(ir: FunctorIR, grid: Grid): readonly FieldBlock[] {
  const cleared = new Set<string>();
  for (const statement of ir.body) {
    if (statement.kind !== 'write' || statement.op !== '=') return [];
    if (statement.value.kind !== 'number' || statement.value.value !== 0) return [];
    cleared.add(statement.field);
  }
  return [...grid.blocks.values()].filter(({ spec }) =>
    spec.members.every((field) => field === null || cleared.has(field)),
  );
}
