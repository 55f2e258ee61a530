import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { NOTHING } from '../kernels/usedBlocks.js';

/**
 * The blocks that a cell functor fills with zeros, if that is all it does: a pair functor that adds to them next need not
 * look at what is there.
 */
export function zeroedBlocks({ ir, spec }: Functor, grid: Grid): ReadonlySet<string> {
  if (!ir || spec.wgsl !== undefined) return NOTHING;
  const fields = new Set<string>();
  for (const s of ir.body) {
    const isZero = s.kind === 'write' && s.role === 'i' && s.op === '=' && isNought(s.value);
    if (!isZero) return NOTHING;
    fields.add(s.field);
  }
  const blocks = new Set([...fields].map((field) => grid.field(field).block));
  for (const block of blocks) {
    const { members } = grid.block(block).spec;
    if (members.some((name) => name !== null && !fields.has(name))) return NOTHING;
  }
  return blocks;
}

const isNought = (value: { kind: string; value?: unknown }): boolean =>
  value.kind === 'number' && Object.is(value.value, 0);
