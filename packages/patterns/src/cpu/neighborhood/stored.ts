import { f32, f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import type { FieldPlace } from '../pair/PairPlan.js';
import { elementAddress, storageShift } from '../pair/wasm/Lanes.js';

type Storage = FieldPlace['storage'];

/** Address of a field in a row, from the address of the block. */
export const placeAddress = (base: WasmNode, row: WasmNode, place: FieldPlace): WasmNode =>
  i32.add(
    elementAddress(base, row, place),
    i32.const(place.component << storageShift[place.storage]),
  );

/** A stored number: reals as f64, integers and the low half of ids as i32. */
export function loadStored(storage: Storage, address: WasmNode, offset = 0): WasmNode {
  if (storage === 'f64') return f64.load(address, offset);
  return storage === 'f32' ? f64.promote_f32(f32.load(address, offset)) : i32.load(address, offset);
}

/** Stores an f64, or an i32 where integers are kept. */
export function storeStored(
  storage: Storage,
  address: WasmNode,
  value: WasmNode,
  offset = 0,
): WasmNode {
  if (storage === 'f64') return f64.store(address, value, offset);
  return storage === 'f32'
    ? f32.store(address, f32.demote_f64(value), offset)
    : i32.store(address, value, offset);
}
