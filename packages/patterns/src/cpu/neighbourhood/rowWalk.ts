import type { FunctionBuilder } from '../../lower/wasm/FunctionBuilder.js';
import { f64, i32 } from '../../lower/wasm/ops.js';
import type { WasmNode } from '../../lower/wasm/WasmNode.js';

/** What a walk along the entries of a thread needs; all but `entry` are cheap to repeat. */
export interface RowWalk {
  /** Local that holds the address of the next entry. */
  readonly entry: number;
  readonly lastEntry: WasmNode;
  readonly indices: WasmNode;
  readonly positions: WasmNode;
  readonly shifts: WasmNode;
  readonly cutoff2: WasmNode;
}

/** base + k · 2^shift */
export const at = (base: WasmNode, k: WasmNode, shift: number): WasmNode =>
  i32.add(base, i32.shl(k, i32.const(shift)));

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

/** Walks all entries of row `i`, and calls `met` for neighbours within the cutoff: row j, and x, y, z, r² as f64. */
export function walkRow(
  f: FunctionBuilder,
  walk: RowWalk,
  i: WasmNode,
  met: (j: WasmNode, d: readonly WasmNode[]) => void,
): void {
  const { positions, shifts, indices, lastEntry } = walk;
  const entry = f.get(walk.entry);
  const position = f.keep(at(positions, i, 5));
  f.while(i32.lt_u(entry, lastEntry), (done) => {
    f.brIf(done, i32.ne(i32.load(entry), i));
    const shift = f.keep(at(shifts, i32.load(entry, 4), 5));
    const centre = [0, 8, 16].map((offset) =>
      f.keep(f64.add(f64.load(position, offset), f64.load(shift, offset))),
    );
    const p = f.variable(at(indices, i32.load(entry, 8), 2));
    const pEnd = f.keep(at(indices, i32.load(entry, 12), 2));
    f.while(i32.lt_u(f.get(p), pEnd), () => {
      const j = f.keep(i32.load(f.get(p)));
      const row = f.keep(at(positions, j, 5));
      const d = centre.map((c, k) => f.keep(f64.sub(c, f64.load(row, 8 * k))));
      const squares = d.map((x) => f64.mul(x, x));
      const r2 = f.keep(f64.add(f64.add(squares[0]!, squares[1]!), squares[2]!));
      f.if(f64.lt(r2, walk.cutoff2), () => met(j, [...d, r2]));
      f.increment(p, 4);
    });
    f.increment(walk.entry, 16);
  });
}
