import {
  type FunctionBuilder,
  f32,
  f64,
  i32,
  i32x4,
  type LaneValue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { FieldPlace } from '../PairPlan.js';
import type { Lanes } from './Lanes.js';
import { elementAddress } from './Lanes.js';

/** A field of one row as a scalar of the width in use; the address points at the component of row 0. */
export function loadScalar(
  place: FieldPlace,
  base: WasmNode,
  row: WasmNode,
  real: 'f64' | 'f32',
): WasmNode {
  const address = elementAddress(base, row, place);
  switch (place.storage) {
    case 'f64':
      return real === 'f64' ? f64.load(address) : f32.demote_f64(f64.load(address));
    case 'f32':
      return real === 'f32' ? f32.load(address) : f64.promote_f32(f32.load(address));
    default:
      return i32.load(address); // ids are read as their low 32 bits
  }
}

/** A field of the central particle, as a scalar and as a vector. */
export function centralValue(
  f: FunctionBuilder,
  lanes: Lanes,
  place: FieldPlace,
  base: WasmNode,
  row: WasmNode,
): LaneValue {
  const node = f.keep(loadScalar(place, base, row, lanes.real));
  const splat = place.type === 'real' ? lanes.splat(node) : i32x4.splat(node);
  return { uniform: true, type: place.type, node, vector: f.keep(splat, 'v128') };
}

/** A field of several neighbors, one a lane. */
export function neighborValue(
  f: FunctionBuilder,
  lanes: Lanes,
  place: FieldPlace,
  base: WasmNode,
  rows: readonly WasmNode[],
): LaneValue {
  const at = (lane: number) => elementAddress(base, rows[lane]!, place);
  const wide = lanes.real === 'f64';
  let node: WasmNode;
  if (place.type !== 'real' || place.storage === lanes.real) {
    const eight = place.type === 'real' && wide;
    node = eight ? v128.load64_zero(at(0)) : v128.load32_zero(at(0));
    for (let lane = 1; lane < lanes.count; lane++) {
      node = eight ? v128.load64Lane(lane, at(lane), node) : v128.load32Lane(lane, at(lane), node);
    }
  } else {
    node = lanes.splat(loadScalar(place, base, rows[0]!, lanes.real));
    for (let lane = 1; lane < lanes.count; lane++) {
      node = lanes.v.replace(lane, node, loadScalar(place, base, rows[lane]!, lanes.real));
    }
  }
  return { uniform: false, type: place.type, node: f.keep(node, 'v128') };
}
