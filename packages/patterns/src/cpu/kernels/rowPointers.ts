import type { FunctorIR } from '@corpuscle/functor/ir';
import { fieldUse } from '@corpuscle/functor/passes';
import { type FunctionBuilder, i32, type WasmNode } from '@corpuscle/functor/wasm';
import type { ArgumentLayout } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import { boundBlocks, type FieldBinding } from './FieldBinding.js';
import { RowAccess, rowBytes } from './RowAccess.js';
import { loadSlot } from './wasmParameters.js';

/** How a kernel over particles reaches the fields that its functor touches: a pointer into each of their blocks. */
export interface RowPointers {
  /** Bindings of fields that are read or written. */
  readonly used: readonly FieldBinding[];
  readonly written: ReadonlySet<string>;
  readonly rows: RowAccess;
  /** Lets all pointers stand at a row. */
  moveTo(row: WasmNode): void;
  /** Moves all pointers on by some rows. */
  advance(rows: number): void;
}

/** Makes the pointers of a kernel; their blocks' addresses come from its arguments. */
export function rowPointers(
  f: FunctionBuilder,
  args: ArgumentLayout,
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  lanes: 1 | 2,
): RowPointers {
  const use = fieldUse(ir);
  const written = use.writes.get('i') ?? new Set<string>();
  const used = bindings.filter(({ field }) => written.has(field) || use.reads.get('i')?.has(field));
  const bases = boundBlocks(used).map(({ block }) => ({
    block,
    bytes: rowBytes(used.find((b) => b.block === block)!),
    base: loadSlot(f, args, argumentNames.block(block), 'address'),
    pointer: f.called(f.local('i32'), `row.${block}`),
  }));
  const rows = new RowAccess(f, lanes, used, (block) =>
    f.get(bases.find((b) => b.block === block)!.pointer),
  );
  return {
    used,
    written,
    rows,
    moveTo(row) {
      for (const { base, bytes, pointer } of bases)
        f.set(pointer, i32.add(base, i32.mul(row, i32.const(bytes))));
    },
    advance(count) {
      for (const { pointer, bytes } of bases) f.increment(pointer, count * bytes);
    },
  };
}
