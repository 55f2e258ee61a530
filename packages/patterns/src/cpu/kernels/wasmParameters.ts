import type { ParamSchema } from '@corpuscle/functor';
import {
  type FunctionBuilder,
  f64,
  f64x2,
  i32,
  i32x4,
  type LaneValue,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { ArgumentLayout, SlotType } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import { slotValue } from './slotValue.js';

/** Loads a slot of the argument record into a local, once at the start of `run`. */
export function loadSlot(
  f: FunctionBuilder,
  args: ArgumentLayout,
  name: string,
  type: SlotType,
): WasmNode {
  const value = slotValue(f, args, name, type);
  const local = f.local(f.typeOf(value));
  f.atEntry(['local.set', local, value]);
  return f.get(f.called(local, name));
}

/** How a wasm kernel reads `p.eps` and `p.table[k]`. */
export interface WasmParameters {
  scalar(name: string): LaneValue;
  item(name: string, index: LaneValue): LaneValue;
}

/** Parameters in the argument record: scalars in slots, tables as address and last index. */
export function wasmParameters(
  f: FunctionBuilder,
  args: ArgumentLayout,
  schema: ParamSchema,
  lanes: 1 | 2,
): WasmParameters {
  const scalars = new Map<string, LaneValue>();
  const tables = new Map<string, { address: WasmNode; last: WasmNode }>();
  return {
    scalar(name) {
      let value = scalars.get(name);
      if (!value) {
        const type = schema[name] as 'real' | 'i32' | 'u32';
        const node = loadSlot(f, args, argumentNames.param(name), type === 'real' ? 'f64' : 'i32');
        value = { uniform: true, type, node };
        if (lanes === 2 && type === 'real') {
          const vector = f.local('v128');
          f.atEntry(['local.set', vector, f64x2.splat(node)]);
          value = { ...value, vector: f.get(vector) };
        }
        scalars.set(name, value);
      }
      return value;
    },
    item(name, index) {
      let table = tables.get(name);
      if (!table) {
        table = {
          address: loadSlot(f, args, argumentNames.tableAddress(name), 'address'),
          last: loadSlot(f, args, argumentNames.tableLast(name), 'i32'),
        };
        tables.set(name, table);
      }
      const type = (schema[name] ?? 'real[]').slice(0, -2) as 'real' | 'i32' | 'u32';
      return loadItem(f, table.address, table.last, type, type === 'real' ? 'f64' : 'i32', index);
    },
  };
}

/**
 * An element of an array in the heap, the index clamped to 0 … last (as unsigned numbers, so negative ones become last):
 * a functor can never read outside.
 */
export function loadItem(
  f: FunctionBuilder,
  address: WasmNode,
  last: WasmNode,
  type: 'real' | 'i32' | 'u32',
  storage: 'f64' | 'f32' | 'i32',
  index: LaneValue,
): LaneValue {
  const shift = storage === 'f64' ? 3 : 2;
  const at = (k: WasmNode): WasmNode => {
    const kept = f.keep(k, 'i32');
    const clamped = select(i32.lt_u(kept, last), kept, last);
    return i32.add(address, i32.shl(clamped, i32.const(shift)));
  };
  const one = (k: WasmNode): WasmNode => {
    if (storage === 'i32') return i32.load(at(k));
    return storage === 'f64' ? f64.load(at(k)) : f64.promote_f32(['f32.load', 0, at(k)]);
  };
  if (index.uniform) return { uniform: true, type, node: f.keep(one(index.node)) };
  const both = f.keep(index.node, 'v128');
  const [low, high] = [i32x4.extract(0, both), i32x4.extract(1, both)];
  if (storage === 'f64') {
    const first = f.keep(['v128.load64_zero', 0, at(low)], 'v128');
    return { uniform: false, type, node: f.keep(v128.load64Lane(1, at(high), first), 'v128') };
  }
  if (storage === 'f32') {
    const pair = f64x2.replace(1, f64x2.splat(one(low)), one(high));
    return { uniform: false, type, node: f.keep(pair, 'v128') };
  }
  const first = f.keep(['v128.load32_zero', 0, at(low)], 'v128');
  return { uniform: false, type, node: f.keep(v128.load32Lane(1, at(high), first), 'v128') };
}
