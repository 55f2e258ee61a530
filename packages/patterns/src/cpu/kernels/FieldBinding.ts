import type { Grid, StorageType } from '@corpuscle/core';
import type { FieldSchema, FieldType, Functor } from '@corpuscle/functor';
import { wrongFieldType } from '../../plan/refusals.js';

/** Where a functor's field lies: `component` of a row of `width` numbers in a block. */
export interface FieldBinding {
  readonly field: string;
  readonly type: FieldType;
  readonly writable: boolean;
  readonly block: string;
  readonly component: number;
  readonly width: number;
  readonly storage: StorageType;
}

/**
 * Binds the fields of a cell or reduce functor to a grid's blocks.
 * @throws CorpuscleError UNKNOWN_FIELD, or WRONG_TYPE when field and storage do not fit: reals may be read from any
 *   storage and written to f64 and f32, ints live in u32 and i32, and ids (u64) are read as their low 32 bits.
 */
export function bindFields(functor: Functor, grid: Grid): FieldBinding[] {
  const { spec } = functor;
  if (spec.kind === 'cell') {
    return [...bind(functor, grid, spec.fields, true), ...bind(functor, grid, spec.read, false)];
  }
  return spec.kind === 'reduce' ? bind(functor, grid, spec.read, false) : [];
}

function bind(
  functor: Functor,
  grid: Grid,
  schema: FieldSchema,
  writable: boolean,
): FieldBinding[] {
  return Object.entries(schema).map(([field, type]) => {
    const { block, component } = grid.field(field);
    const { type: storage, width } = grid.block(block).spec;
    const isReal = storage === 'f64' || storage === 'f32';
    if ((type === 'real') !== isReal || (writable && storage === 'u64')) {
      throw wrongFieldType(field, type, storage, functor.name);
    }
    return { field, type, writable, block, component, width, storage };
  });
}

/** Names the code that bindings lead to. */
export function bindingKey(bindings: readonly FieldBinding[]): string {
  const one = (b: FieldBinding) =>
    `${b.field}:${b.type}${b.writable ? '=' : ''}@${b.block}.${b.component}/${b.width}${b.storage}`;
  return bindings.map(one).join(',');
}

/** Blocks in the order of their first use, and whether they are written. */
export function boundBlocks(
  bindings: readonly FieldBinding[],
): { block: string; written: boolean }[] {
  const written = new Map<string, boolean>();
  for (const { block, writable } of bindings)
    written.set(block, writable || (written.get(block) ?? false));
  return [...written].map(([block, isWritten]) => ({ block, written: isWritten }));
}
