import { type FunctionBuilder, f32, f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import type { FieldPlace } from '../PairPlan.js';

type Real = 'f64' | 'f32';

/** A stored number in the functor's own width. */
export function loadPlace({ storage }: FieldPlace, address: WasmNode, real: Real): WasmNode {
  if (storage === 'f64')
    return real === 'f32' ? f32.demote_f64(f64.load(address)) : f64.load(address);
  if (storage !== 'f32') return i32.load(address);
  return real === 'f32' ? f32.load(address) : f64.promote_f32(f32.load(address));
}

/** Stores a number of the functor's own width. */
export function storePlace(
  { storage }: FieldPlace,
  address: WasmNode,
  value: WasmNode,
  real: Real,
): WasmNode {
  if (storage === 'f64') return f64.store(address, real === 'f32' ? f64.promote_f32(value) : value);
  if (storage !== 'f32') return i32.store(address, value);
  return f32.store(address, real === 'f32' ? value : f32.demote_f64(value));
}

/** Adds a change, kept in f64 or i32, to a stored number. */
export function addToPlace(
  f: FunctionBuilder,
  { storage }: FieldPlace,
  address: WasmNode,
  change: WasmNode,
  minus: boolean,
): void {
  const place = f.keep(address);
  if (storage === 'f64' || storage === 'f32') {
    const old = storage === 'f64' ? f64.load(place) : f64.promote_f32(f32.load(place));
    const next = minus ? f64.sub(old, change) : f64.add(old, change);
    f.emit(storage === 'f64' ? f64.store(place, next) : f32.store(place, f32.demote_f64(next)));
  } else {
    const old = i32.load(place);
    f.emit(i32.store(place, minus ? i32.sub(old, change) : i32.add(old, change)));
  }
}
