import type { FieldSchema, ParamSchema } from '@corpuscle/functor';
import type { FunctorIR, RoleName } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  assembleModule,
  type BodyEnv,
  FunctionBuilder,
  f64,
  i32,
  i32x4,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import type { BlockLayout } from './BlockLayout.js';
import type { BoundArray } from './BoundArray.js';
import { type ArrayPlace, readArray, writeArray } from './blockArrays.js';
import { loadSlot, wasmParameters } from './wasmParameters.js';

/**
 * The wasm kernel of a block functor, for indices begin … end−1 of the space. A block has one lane, or two that walk
 * the second-level loop side by side in SIMD lanes. Reads outside an array are clamped
 * to its last element; writes outside are refused and noted, so that nothing outside an array can change. Memory that a
 * block shares lies in the thread's scratch and is cleared for each index. Results go to records, one for every
 * `perRecord` indices, which the caller has initialised.
 */
export function blockWasm(
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  types: FieldSchema,
  params: ParamSchema,
  lanes: 1 | 2,
  layout: BlockLayout,
): { bytes: Uint8Array; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const parameters = wasmParameters(f, args, params, lanes);
  const slots = new Map<string, WasmNode>();
  const slot = (name: string): WasmNode => {
    let node = slots.get(name);
    if (!node) {
      node = loadSlot(f, args, name, 'i32');
      slots.set(name, node);
    }
    return node;
  };
  const index = f.local('i32');
  const coordinates: Record<string, () => WasmNode> = {
    index: () => f.get(index),
    x: () => i32.rem_u(f.get(index), slot(argumentNames.nx)),
    y: () => i32.rem_u(i32.div_u(f.get(index), slot(argumentNames.nx)), slot(argumentNames.ny)),
    z: () => i32.div_u(i32.div_u(f.get(index), slot(argumentNames.nx)), slot(argumentNames.ny)),
    lane: () => i32.const(0),
    size: () => i32.const(lanes),
  };
  const blockType = (field: string) => ir.roles.b?.[field]?.type ?? 'i32';

  const scratch = f.local('i32');
  const record = f.local('i32');
  const sharedPlace = (field: string): ArrayPlace => {
    const number = layout.shared.findIndex(({ name }) => name === field);
    const { storage, offset, length } = layout.shared[number]!;
    return {
      storage,
      type: storage === 'f64' ? 'real' : storage,
      address: i32.add(f.get(scratch), i32.const(offset)),
      last: i32.const(length - 1),
      length: i32.const(length),
      refuse: (index) => note(arrays.length + number, index),
    };
  };
  const note = (number: number, index: WasmNode): void => {
    const refused = slot(argumentNames.refused);
    f.emit(i32.store(refused, index, 4), i32.store(refused, i32.const(1 + number)));
  };
  const resultAt = (index: LaneValue): WasmNode =>
    i32.add(f.get(record), i32.shl(index.node, i32.const(3)));
  const placeOf = (role: RoleName, field: string): ArrayPlace => {
    if (role === 'b') return sharedPlace(field);
    const number = arrays.findIndex(({ name }) => name === field);
    return {
      storage: arrays[number]!.storage,
      type: types[field]!,
      address: slot(argumentNames.arrayAddress(field)),
      last: slot(argumentNames.arrayLast(field)),
      length: slot(argumentNames.arrayLength(field)),
      refuse: (index) => note(number, index),
    };
  };

  const env: BodyEnv = {
    uniform: (role, field) => lanes === 1 || role !== 'b' || field !== 'lane',
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      if (field === 'lane' && lanes === 2) {
        return {
          uniform: false,
          type: blockType(field),
          node: f.constant(i32x4.const(0, 1, 0, 0)),
        };
      }
      return { uniform: true, type: blockType(field), node: f.keep(coordinates[field]!(), 'i32') };
    },
    item(role, field, at) {
      if (role === 'p') return parameters.item(field, at);
      if (role !== 'acc') return readArray(f, placeOf(role, field), at);
      return { uniform: true, type: 'real', node: f.keep(f64.load(resultAt(at))) };
    },
    write() {
      throw new Error('block functors write arrays only');
    },
    writeItem(role, field, at, op, value, mask) {
      if (role === 'acc') f.emit(f64.store(resultAt(at), value.node));
      else writeArray(f, placeOf(role, field), at, op, value, mask, lanes);
    },
  };

  const hoisted = hoistUniform(ir);
  const options = { builder: f, lanes, real: 'f64', env } as const;
  const variables = lowerPrologue(hoisted.prologue, options);
  if (layout.sharedBytes > 0) {
    const own = i32.mul(f.param(3), i32.const(layout.sharedBytes));
    f.set(scratch, i32.add(slot(argumentNames.scratch), own));
  }
  f.range(f.param(1), f.param(2), (_, k) => {
    f.set(index, f.get(k));
    clear(f, f.get(scratch), layout.sharedBytes);
    if (layout.recordBytes > 0) {
      const number = i32.div_u(f.get(index), slot(argumentNames.perRecord));
      const own = i32.mul(number, i32.const(layout.recordBytes));
      f.set(record, i32.add(slot(argumentNames.partials), own));
    }
    lowerBody(hoisted.ir, { ...options, variables });
  });
  return { bytes: assembleModule({ functions: [f], exports: ['run'] }), args };
}

/** Sets memory to zero; `bytes` is a multiple of 8. */
function clear(f: FunctionBuilder, address: WasmNode, bytes: number): void {
  if (bytes === 0) return;
  f.range(
    i32.const(0),
    i32.const(bytes),
    (offset) => f.emit(f64.store(i32.add(address, offset), f64.const(0))),
    8,
  );
}
