import { type FunctionBuilder, f64, i32, type WasmNode } from '@corpuscle/functor/wasm';

/** What a walk along one entry of a list needs: nodes that are cheap to repeat. */
export interface EntryWalk {
  readonly indices: WasmNode;
  readonly positions: WasmNode;
  readonly shifts: WasmNode;
  readonly cutoff2: WasmNode;
}

/** base + k · 2^shift */
export const at = (base: WasmNode, k: WasmNode, shift: number): WasmNode =>
  i32.add(base, i32.shl(k, i32.const(shift)));

/** Walks the neighbors of an entry, and calls `met` for those within the cutoff: row j, and x, y, z, r² as f64. */
export function walkEntry(
  f: FunctionBuilder,
  walk: EntryWalk,
  entry: WasmNode,
  center: readonly WasmNode[],
  met: (j: WasmNode, d: readonly WasmNode[]) => void,
): void {
  walkListed(f, walk, entry, center, (j, d) => {
    f.if(f64.lt(d[3]!, walk.cutoff2), () => met(j, d));
  });
}

/** Walks all that an entry lists, far dummies too: row j, and x, y, z, r² as f64. */
export function walkListed(
  f: FunctionBuilder,
  { indices, positions }: EntryWalk,
  entry: WasmNode,
  center: readonly WasmNode[],
  seen: (j: WasmNode, d: readonly WasmNode[]) => void,
): void {
  const p = f.variable(at(indices, i32.load(entry, 8), 2));
  const pEnd = f.keep(at(indices, i32.load(entry, 12), 2));
  f.while(i32.lt_u(f.get(p), pEnd), () => {
    const j = f.keep(i32.load(f.get(p)));
    const row = f.keep(at(positions, j, 5));
    const d = center.map((c, k) => f.keep(f64.sub(c, f64.load(row, 8 * k))));
    const squares = d.map((x) => f64.mul(x, x));
    const r2 = f.keep(f64.add(f64.add(squares[0]!, squares[1]!), squares[2]!));
    seen(j, [...d, r2]);
    f.increment(p, 4);
  });
}

/** The position at an address, moved to the image of an entry. */
export function centerOf(
  f: FunctionBuilder,
  { shifts }: EntryWalk,
  entry: WasmNode,
  position: WasmNode,
): WasmNode[] {
  const shift = f.keep(at(shifts, i32.load(entry, 4), 5));
  return [0, 8, 16].map((offset) =>
    f.keep(f64.add(f64.load(position, offset), f64.load(shift, offset))),
  );
}
