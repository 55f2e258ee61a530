import {
  type FunctionBuilder,
  i8x16,
  i32,
  i32x4,
  i64x2,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { BUFFER_LENGTH } from '../outputBlocks.js';
import { distances, type Measure } from './distances.js';

/** Emits code that packs neighbors in reach from the indices at `p` on, advances p, and says where they are. */
export type Packer = (
  p: number,
  pEnd: WasmNode,
  center: readonly WasmNode[],
) => { readonly begin: WasmNode; readonly end: WasmNode };

/**
 * The buffered form: up to BUFFER_LENGTH neighbors are tested four at a time, and the row numbers of those within the
 * cutoff are moved to the front by a swizzle and stored; the rest of the last vector is padding.
 *
 *   j  [a b c d]   in reach 1 0 1 1   ──►   buffer … a c d
 */
export function packer(
  f: FunctionBuilder,
  measure: Measure,
  at: {
    readonly positions: WasmNode;
    readonly cutoff2: WasmNode;
    readonly scratch: WasmNode;
    readonly padding: WasmNode;
    readonly compress: WasmNode;
  },
): Packer {
  const { lanes } = measure;
  const shl = (value: WasmNode, bits: number) => i32.shl(value, i32.const(bits));
  return (p, pEnd, center) => {
    const q = f.variable(at.scratch);
    const limit = f.keep(i32.add(f.get(p), i32.const(4 * BUFFER_LENGTH)));
    const stop = f.keep(select(i32.lt_u(limit, pEnd), limit, pEnd));
    f.loop((again) => {
      let bits: WasmNode | null = null;
      for (let first = 0; first < 4; first += lanes.count) {
        const rows = Array.from({ length: lanes.count }, (_, lane) => {
          const row = i32.load(f.get(p), 4 * (first + lane));
          return f.keep(i32.add(at.positions, shl(row, lanes.rowShift)));
        });
        const near = lanes.v.lt(distances(f, measure, rows, center).r2, at.cutoff2);
        const mask = lanes.count === 2 ? i64x2.bitmask(near) : i32x4.bitmask(near);
        bits = bits ? i32.or(bits, shl(mask, first)) : mask;
      }
      const mask = f.keep(bits!);
      const swizzle = v128.load(i32.add(at.compress, shl(mask, 4)));
      f.emit(v128.store(f.get(q), i8x16.swizzle(v128.load(f.get(p)), swizzle)));
      f.increment(q, shl(i32.popcnt(mask), 2));
      f.increment(p, 16);
      f.brIf(again, i32.lt_u(f.get(p), stop));
    });
    f.emit(v128.store(f.get(q), i32x4.splat(at.padding)));
    return { begin: at.scratch, end: f.get(q) };
  };
}
