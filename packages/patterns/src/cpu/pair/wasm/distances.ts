import { type FunctionBuilder, f32x4, i32x4, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { gatherPositions, type Lanes } from './Lanes.js';

/** How kernels measure: positions in doubles, or in fixed point with wrap-around (see `fixedPoint`). */
export interface Measure {
  readonly lanes: Lanes;
  readonly relaxed: boolean;
  /** Length of a unit of fixed point, and its square, in every lane; null for doubles. */
  readonly unit: WasmNode | null;
  readonly unit2: WasmNode | null;
}

/** A vector of pairs, one a lane. */
export interface Distances {
  readonly d: readonly [WasmNode, WasmNode, WasmNode];
  readonly r2: WasmNode;
  /** In fixed point also the differences row by row, {dx dy dz ·} of one pair each, in units; empty for doubles. */
  readonly rows: readonly WasmNode[];
}

/** Differences between a central particle and the rows at several addresses. */
export function distances(
  f: FunctionBuilder,
  measure: Measure,
  addresses: readonly WasmNode[],
  center: readonly WasmNode[],
): Distances {
  const { lanes, relaxed, unit, unit2 } = measure;
  const { add, mul, sub, relaxed_madd } = lanes.v;
  const squared = ([x, y, z]: readonly WasmNode[]) => {
    const fused = (a: WasmNode, c: WasmNode) =>
      relaxed ? relaxed_madd(a, a, c) : add(c, mul(a, a));
    return fused(z!, fused(y!, mul(x!, x!)));
  };
  if (unit === null || unit2 === null) {
    const gathered = gatherPositions(f, lanes, addresses);
    const d = gathered.map((v, k) => f.named(`d${'xyz'[k]}`, sub(center[k]!, v)));
    return { d: d as unknown as Distances['d'], r2: f.named('d.r2', squared(d)), rows: [] };
  }
  // Whole numbers wrap around: the difference is that of the nearest images of the modulus, exactly.
  const rows = addresses.map((address) =>
    f.named('d.row', f32x4.convert_i32x4_s(i32x4.sub(center[0]!, v128.load(address)))),
  );
  const [x, y, z, far] = transposed(f, lanes, rows);
  const inUnits = [x, y, z].map((v, k) => f.named(`units.${'xyz'[k]}`, v));
  const square = f.named('units.r2', squared(inUnits));
  // Rows that pad lists have a large fourth component; particles have 0.
  const r2 = relaxed ? relaxed_madd(square, unit2, far) : add(mul(square, unit2), far);
  const d = inUnits.map((v, k) => f.named(`d${'xyz'[k]}`, mul(v, unit)));
  return { d: d as unknown as Distances['d'], r2: f.named('d.r2', r2), rows };
}

/** Four rows to four vectors, one a component. */
function transposed(
  f: FunctionBuilder,
  lanes: Lanes,
  [a, b, c, d]: readonly WasmNode[],
): [WasmNode, WasmNode, WasmNode, WasmNode] {
  const pair = (pattern: readonly number[], p: WasmNode, q: WasmNode) =>
    f.keep(lanes.shuffle(pattern, p, q), 'v128');
  const xy0 = pair([0, 4, 1, 5], a!, b!);
  const xy1 = pair([0, 4, 1, 5], c!, d!);
  const zw0 = pair([2, 6, 3, 7], a!, b!);
  const zw1 = pair([2, 6, 3, 7], c!, d!);
  return [
    lanes.shuffle([0, 1, 4, 5], xy0, xy1),
    lanes.shuffle([2, 3, 6, 7], xy0, xy1),
    lanes.shuffle([0, 1, 4, 5], zw0, zw1),
    lanes.shuffle([2, 3, 6, 7], zw0, zw1),
  ];
}
