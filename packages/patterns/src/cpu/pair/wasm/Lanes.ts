import {
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i32,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';

/** Vector arithmetic of one width: two doubles, or four singles. */
export interface Lanes {
  readonly count: 2 | 4;
  readonly real: 'f64' | 'f32';
  /** Bytes of one number. */
  readonly bytes: 8 | 4;
  /** log2 of the bytes of a row of four numbers. */
  readonly rowShift: 5 | 4;
  readonly v: typeof f64x2 | typeof f32x4;
  readonly zero: WasmNode;
  /** Lanes 0 … count−1 come from a, the next from b. */
  shuffle(pattern: readonly number[], a: WasmNode, b: WasmNode): WasmNode;
  splat(scalar: WasmNode): WasmNode;
  /** A scalar read from memory as f64 becomes the width in use. */
  narrow(value: WasmNode): WasmNode;
  /** The sum of all lanes, as f64. */
  sum(f: FunctionBuilder, vector: WasmNode): WasmNode;
}

const shuffleOf =
  (bytes: number) =>
  (pattern: readonly number[], a: WasmNode, b: WasmNode): WasmNode =>
    i8x16.shuffle(
      pattern.flatMap((lane) => Array.from({ length: bytes }, (_, k) => lane * bytes + k)),
      a,
      b,
    );

export const doubles: Lanes = {
  count: 2,
  real: 'f64',
  bytes: 8,
  rowShift: 5,
  v: f64x2,
  zero: f64x2.const(0),
  shuffle: shuffleOf(8),
  splat: (scalar) => f64x2.splat(scalar),
  narrow: (value) => value,
  sum: (_f, vector) => f64.add(f64x2.extract(0, vector), f64x2.extract(1, vector)),
};

export const singles: Lanes = {
  count: 4,
  real: 'f32',
  bytes: 4,
  rowShift: 4,
  v: f32x4,
  zero: f32x4.const(0),
  shuffle: shuffleOf(4),
  splat: (scalar) => f32x4.splat(scalar),
  narrow: (value) => f32.demote_f64(value),
  sum: (f, vector) => {
    const wide = (k: number) => f64.promote_f32(f32x4.extract(k, vector));
    return f.keep(f64.add(f64.add(wide(0), wide(1)), f64.add(wide(2), wide(3))), 'f64');
  },
};

/** x, y and z of two rows of doubles as vectors, one row a lane. */
export function gatherPositions(
  f: FunctionBuilder,
  lanes: Lanes,
  rows: readonly WasmNode[],
): [WasmNode, WasmNode, WasmNode] {
  const [a, b] = rows.map((row) => f.keep(v128.load(row))) as [WasmNode, WasmNode];
  const z = v128.load64Lane(1, rows[1]!, v128.load64_zero(rows[0]!, 16), 16);
  return [lanes.shuffle([0, 2], a, b), lanes.shuffle([1, 3], a, b), z];
}

/** The bytes of one stored number, as a shift. */
export const storageShift = { f64: 3, f32: 2, u32: 2, i32: 2, u64: 3 } as const;

/** Address of a number: base + row · stride + component. */
export function elementAddress(
  base: WasmNode,
  row: WasmNode,
  place: { storage: keyof typeof storageShift; width: number },
): WasmNode {
  const shift = storageShift[place.storage] + (place.width === 4 ? 2 : 0);
  return i32.add(base, i32.shl(row, i32.const(shift)));
}
