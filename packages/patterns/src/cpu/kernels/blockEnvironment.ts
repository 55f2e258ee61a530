import type { FieldSchema } from '@corpuscle/functor';
import type { FunctorIR, RoleName } from '@corpuscle/functor/ir';
import {
  type BodyEnv,
  type FunctionBuilder,
  f64,
  i32,
  i32x4,
  type LaneValue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { argumentNames } from './argumentNames.js';
import type { BlockLayout } from './BlockLayout.js';
import type { BoundArray } from './BoundArray.js';
import { type ArrayPlace, readArray, writeArray } from './blockArrays.js';
import type { SideBySide } from './blockWasm.js';
import type { WasmParameters } from './wasmParameters.js';

/** What the body of a block functor is lowered with. */
export interface BlockSetting {
  readonly f: FunctionBuilder;
  readonly ir: FunctorIR;
  readonly arrays: readonly BoundArray[];
  readonly types: FieldSchema;
  readonly lanes: 1 | 2;
  readonly sideBySide: SideBySide;
  readonly layout: BlockLayout;
  readonly parameters: WasmParameters;
  /** A slot of the argument record. */
  readonly slot: (name: string, type?: 'i32' | 'address') => WasmNode;
  /** Locals: the block's index, where the thread's block-shared memory begins, and where the block's results go. */
  readonly locals: { readonly index: number; readonly scratch: number; readonly record: number };
}

/** How a block functor reads and writes: `b` the block and its shared memory, `acc` results, anything else arrays. */
export function blockEnvironment(setting: BlockSetting): BodyEnv {
  const { f, ir, lanes, sideBySide, parameters, locals } = setting;
  const coordinates = coordinatesOf(setting);
  const isUniform = (role: RoleName, field: string) =>
    lanes === 1 ||
    role !== 'b' ||
    (sideBySide === 'lanes' ? field !== 'lane' : field === 'lane' || field === 'size');
  const blockType = (field: string) => ir.roles.b?.[field]?.type ?? 'i32';
  const resultAt = (index: LaneValue): WasmNode =>
    i32.add(f.get(locals.record), i32.shl(index.node, i32.const(3)));
  return {
    uniform: isUniform,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      const type = blockType(field);
      if (isUniform(role, field))
        return { uniform: true, type, node: f.keep(coordinates[field]!(), 'i32') };
      return { uniform: false, type, node: f.keep(coordinates[field]!(), 'v128') };
    },
    item(role, field, at) {
      if (role === 'p') return parameters.item(field, at);
      if (role !== 'acc') return readArray(f, placeOf(setting, role, field), at);
      return { uniform: true, type: 'real', node: f.keep(f64.load(resultAt(at))) };
    },
    write() {
      throw new Error('block functors write arrays only');
    },
    writeItem(role, field, at, op, value, mask) {
      if (role === 'acc') f.emit(f64.store(resultAt(at), value.node));
      else writeArray(f, placeOf(setting, role, field), at, op, value, mask, lanes);
    },
  };
}

/** Where a block is, from its index; where two indices go side by side, both of them. */
function coordinatesOf({ f, lanes, sideBySide, slot, locals }: BlockSetting) {
  const isPair = sideBySide === 'indices';
  const size = lanes === 2 && !isPair ? 2 : 1;
  const of = (at: (index: WasmNode) => WasmNode) => (): WasmNode => {
    const index = f.get(locals.index);
    if (!isPair) return at(index);
    return i32x4.replace(1, i32x4.splat(at(index)), at(i32.add(index, i32.const(1))));
  };
  const [nx, ny] = [() => slot(argumentNames.nx), () => slot(argumentNames.ny)];
  const coordinates: Record<string, () => WasmNode> = {
    index: of((index) => index),
    x: of((index) => i32.rem_u(index, nx())),
    y: of((index) => i32.rem_u(i32.div_u(index, nx()), ny())),
    z: of((index) => i32.div_u(i32.div_u(index, nx()), ny())),
    lane: () => (size === 2 ? f.constant(i32x4.const(0, 1, 0, 0)) : i32.const(0)),
    size: () => i32.const(size),
  };
  return coordinates;
}

function placeOf(setting: BlockSetting, role: RoleName, field: string): ArrayPlace {
  if (role === 'b') return sharedPlace(setting, field);
  const { arrays, types, slot } = setting;
  const number = arrays.findIndex(({ name }) => name === field);
  return {
    storage: arrays[number]!.storage,
    type: types[field]!,
    address: slot(argumentNames.arrayAddress(field), 'address'),
    last: slot(argumentNames.arrayLast(field)),
    length: slot(argumentNames.arrayLength(field)),
    refuse: (index) => noteRefusal(setting, number, index),
  };
}

/** An array that the lanes of a block share. */
function sharedPlace(setting: BlockSetting, field: string): ArrayPlace {
  const { f, arrays, layout, locals } = setting;
  const number = layout.shared.findIndex(({ name }) => name === field);
  const { storage, offset, length } = layout.shared[number]!;
  return {
    storage,
    type: storage === 'f64' ? 'real' : storage,
    address: i32.add(f.get(locals.scratch), i32.const(offset)),
    last: i32.const(length - 1),
    length: i32.const(length),
    refuse: (index) => noteRefusal(setting, arrays.length + number, index),
  };
}

/** Remembers that a write outside an array was refused, for the error that the call throws. */
function noteRefusal({ f, slot }: BlockSetting, number: number, index: WasmNode): void {
  const refused = slot(argumentNames.refused, 'address');
  f.emit(i32.store(refused, index, 4), i32.store(refused, i32.const(1 + number)));
}
