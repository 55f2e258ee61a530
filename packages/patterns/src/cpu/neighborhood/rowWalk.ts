import { type FunctionBuilder, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { at, centerOf, type EntryWalk, walkEntry } from '../pair/wasm/walkEntry.js';

/** What a walk along the entries of a thread needs. */
export interface RowWalk extends EntryWalk {
  /** Local that holds the address of the next entry. */
  readonly entry: number;
  readonly lastEntry: WasmNode;
}

/** Moves to the first entry of a row that is not before `begin`: entries ascend. */
export function searchRow(
  f: FunctionBuilder,
  { entry, lastEntry }: RowWalk,
  begin: WasmNode,
): void {
  const high = f.variable(lastEntry);
  f.while(i32.lt_u(f.get(entry), f.get(high)), () => {
    const half = i32.shl(i32.shr_u(i32.sub(f.get(high), f.get(entry)), i32.const(5)), i32.const(4));
    const middle = f.keep(i32.add(f.get(entry), half));
    f.if(
      i32.lt_s(i32.load(middle), begin),
      () => f.set(entry, i32.add(middle, i32.const(16))),
      () => f.set(high, middle),
    );
  });
}

/** Walks all entries of row `i`, and calls `met` for neighbors, as `visit` finds them in an entry: row j, and x, y, z, r² as f64. */
export function walkRow(
  f: FunctionBuilder,
  walk: RowWalk,
  i: WasmNode,
  met: (j: WasmNode, d: readonly WasmNode[]) => void,
  visit: typeof walkEntry = walkEntry,
): void {
  const entry = f.get(walk.entry);
  const position = f.keep(at(walk.positions, i, 5));
  f.while(i32.lt_u(entry, walk.lastEntry), (done) => {
    f.brIf(done, i32.ne(i32.load(entry), i));
    visit(f, walk, entry, centerOf(f, walk, entry, position), met);
    f.increment(walk.entry, 16);
  });
}
