import {
  type FunctionBuilder,
  f32,
  f64,
  f64x2,
  i32,
  i32x4,
  i64x2,
  type LaneValue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { BoundArray } from './BoundArray.js';
import { loadItem } from './wasmParameters.js';

type Storage = BoundArray['storage'];
type WriteOp = '=' | '+=' | '-=';

/** An array of a block functor inside a kernel: reads are clamped, writes outside refused and noted. */
export interface ArrayPlace {
  readonly storage: Storage;
  readonly type: 'real' | 'i32' | 'u32';
  readonly address: WasmNode;
  readonly last: WasmNode;
  readonly length: WasmNode;
  /** Emits the note that a write to this index was refused. */
  refuse(index: WasmNode): void;
}

const shiftOf = (storage: Storage): number => (storage === 'f64' ? 3 : 2);

const elementAddress = ({ address, storage }: ArrayPlace, index: WasmNode): WasmNode =>
  i32.add(address, i32.shl(index, i32.const(shiftOf(storage))));

/** Both lanes' indices, and whether they are neighbors within `bound` (then one access serves both). */
function pairOf(f: FunctionBuilder, index: LaneValue, inside: (high: WasmNode) => WasmNode) {
  const both = f.keep(index.node, 'v128');
  const low = f.keep(i32x4.extract(0, both), 'i32');
  const high = f.keep(i32x4.extract(1, both), 'i32');
  // high ≠ 0 keeps −1, 0 from passing as neighbors.
  const adjacent = i32.and(
    i32.and(i32.eq(high, i32.add(low, i32.const(1))), i32.ne(high, i32.const(0))),
    inside(high),
  );
  return { low, high, adjacent };
}

/** Reads an element, or one for each of two lanes. */
export function readArray(f: FunctionBuilder, place: ArrayPlace, index: LaneValue): LaneValue {
  const { storage, type, address, last } = place;
  const kind = storage === 'f64' || storage === 'f32' ? storage : 'i32';
  if (index.uniform) return loadItem(f, address, last, type, kind, index);
  const { low, adjacent } = pairOf(f, index, (high) => i32.le_u(high, last));
  const value = f.local('v128');
  f.if(
    adjacent,
    () => {
      const at = elementAddress(place, low);
      if (storage === 'f64') f.set(value, v128.load(at));
      else
        f.set(
          value,
          storage === 'f32' ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load64_zero(at),
        );
    },
    () => f.set(value, loadItem(f, address, last, type, kind, index).node),
  );
  return { uniform: false, type, node: f.get(value) };
}

/** Writes an element, or one for each of two lanes that the mask leaves on, lane 0 first. */
export function writeArray(
  f: FunctionBuilder,
  place: ArrayPlace,
  index: LaneValue,
  op: WriteOp,
  value: LaneValue,
  mask: WasmNode | null,
  lanes: 1 | 2,
): void {
  if (lanes === 1) {
    writeOne(f, place, index.node, op, f.keep(value.node));
    return;
  }
  const kept: LaneValue = { ...value, node: f.keep(value.node) };
  const scalar = (lane: number): WasmNode => {
    if (kept.uniform) return kept.node;
    return kept.type === 'real' ? f64x2.extract(lane, kept.node) : i32x4.extract(lane, kept.node);
  };
  const one = (lane: number, at: WasmNode) => {
    if (mask === null) writeOne(f, place, at, op, scalar(lane));
    else f.if(i32x4.extract(2 * lane, mask), () => writeOne(f, place, at, op, scalar(lane)));
  };
  if (index.uniform) {
    const at = f.keep(index.node, 'i32');
    one(0, at);
    one(1, at);
    return;
  }
  const { low, high, adjacent } = pairOf(f, index, (at) => i32.lt_u(at, place.length));
  const eachLane = () => {
    one(0, low);
    one(1, high);
  };
  if (place.storage !== 'f64') eachLane();
  else {
    f.if(
      mask === null ? adjacent : i32.and(adjacent, i64x2.all_true(mask)),
      () => {
        const at = f.keep(elementAddress(place, low), 'i32');
        const vector = kept.uniform ? f64x2.splat(kept.node) : kept.node;
        const operation = op === '+=' ? 'add' : 'sub';
        f.emit(v128.store(at, op === '=' ? vector : f64x2[operation](v128.load(at), vector)));
      },
      eachLane,
    );
  }
}

function writeOne(
  f: FunctionBuilder,
  place: ArrayPlace,
  index: WasmNode,
  op: WriteOp,
  value: WasmNode,
): void {
  const k = f.keep(index, 'i32');
  f.if(
    i32.lt_u(k, place.length),
    () => f.emit(storeElement(f.keep(elementAddress(place, k), 'i32'), place.storage, op, value)),
    () => place.refuse(k),
  );
}

function storeElement(address: WasmNode, storage: Storage, op: WriteOp, value: WasmNode): WasmNode {
  const operation = op === '+=' ? 'add' : 'sub';
  if (storage === 'f64')
    return f64.store(address, op === '=' ? value : f64[operation](f64.load(address), value));
  if (storage === 'f32') {
    const result = op === '=' ? value : f64[operation](f64.promote_f32(f32.load(address)), value);
    return f32.store(address, f32.demote_f64(result));
  }
  return i32.store(address, op === '=' ? value : i32[operation](i32.load(address), value));
}
