import type { FunctorIR } from '../../functor/ir.js';
import { hoistUniform } from '../../functor/passes/hoistUniform.js';
import type { FieldSchema, ParamSchema } from '../../functor/schema.js';
import { assembleModule } from '../../lower/wasm/assembleModule.js';
import type { BodyEnv, LaneValue } from '../../lower/wasm/BodyEnv.js';
import { FunctionBuilder } from '../../lower/wasm/FunctionBuilder.js';
import { lowerBody, lowerPrologue } from '../../lower/wasm/lowerBody.js';
import { f32, f64, i32 } from '../../lower/wasm/ops.js';
import type { WasmNode } from '../../lower/wasm/WasmNode.js';
import { ArgumentLayout } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import type { BoundArray } from './BoundArray.js';
import { loadItem, loadSlot, wasmParameters } from './wasmParameters.js';

/**
 * The wasm kernel of a block functor, one lane a block: indices begin … end−1 of the space. Reads outside an array are clamped
 * to its last element; writes outside are refused and noted, so that nothing outside an array can change.
 */
export function blockWasm(
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  types: FieldSchema,
  params: ParamSchema,
): { bytes: Uint8Array; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const parameters = wasmParameters(f, args, params, 1);
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
    size: () => i32.const(1),
  };
  const blockType = (field: string) => ir.roles.b?.[field]?.type ?? 'i32';

  const env: BodyEnv = {
    uniform: () => true,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      return { uniform: true, type: blockType(field), node: f.keep(coordinates[field]!(), 'i32') };
    },
    item(role, field, at) {
      if (role === 'p') return parameters.item(field, at);
      const { storage } = arrays.find(({ name }) => name === field)!;
      const address = slot(argumentNames.arrayAddress(field));
      const kind = storage === 'f64' || storage === 'f32' ? storage : 'i32';
      return loadItem(f, address, slot(argumentNames.arrayLast(field)), types[field]!, kind, at);
    },
    write() {
      throw new Error('block functors write arrays only');
    },
    writeItem(_role, field, at, op, value) {
      const { storage } = arrays.find(({ name }) => name === field)!;
      const k = f.keep(at.node, 'i32');
      const kept: LaneValue = { ...value, node: f.keep(value.node) };
      f.if(
        i32.lt_u(k, slot(argumentNames.arrayLength(field))),
        () => {
          const shift = storage === 'f64' ? 3 : 2;
          const address = f.keep(
            i32.add(slot(argumentNames.arrayAddress(field)), i32.shl(k, i32.const(shift))),
            'i32',
          );
          f.emit(storeElement(address, storage, op, kept));
        },
        () => {
          const refused = slot(argumentNames.refused);
          f.emit(i32.store(refused, k, 4));
          f.emit(i32.store(refused, i32.const(1 + arrays.findIndex(({ name }) => name === field))));
        },
      );
    },
  };

  const hoisted = hoistUniform(ir);
  const options = { builder: f, lanes: 1, real: 'f64', env } as const;
  const variables = lowerPrologue(hoisted.prologue, options);
  f.range(f.param(1), f.param(2), (_, k) => {
    f.set(index, f.get(k));
    lowerBody(hoisted.ir, { ...options, variables });
  });
  return { bytes: assembleModule({ functions: [f], exports: ['run'] }), args };
}

function storeElement(
  address: WasmNode,
  storage: string,
  op: '=' | '+=' | '-=',
  { node }: LaneValue,
): WasmNode {
  const operation = op === '+=' ? 'add' : 'sub';
  if (storage === 'f64')
    return f64.store(address, op === '=' ? node : f64[operation](f64.load(address), node));
  if (storage === 'f32') {
    const value = op === '=' ? node : f64[operation](f64.promote_f32(f32.load(address)), node);
    return f32.store(address, f32.demote_f64(value));
  }
  return i32.store(address, op === '=' ? node : i32[operation](i32.load(address), node));
}
