import type { WasmNode } from '../WasmNode.js';
import {
  build,
  type Compare,
  type Conversion,
  conversions,
  type FloatCompare,
  type FloatOps,
  floatCompare,
  floatOps,
  type IntBinary,
  intBinary,
  intCompare,
  load,
  rmw,
  store,
  type Truncation,
  truncations,
} from './families.js';

/** Instructions on an integer of 32 bits, by their names in WebAssembly. */
export const i32 = {
  const: (value: number): WasmNode => ['i32.const', value],
  ...build<
    | Compare
    | IntBinary
    | Truncation
    | 'eqz'
    | 'wrap_i64'
    | 'reinterpret_f32'
    | 'extend8_s'
    | 'extend16_s'
  >(
    'i32',
    `${intCompare} ${intBinary} ${truncations} wrap_i64 reinterpret_f32 extend8_s extend16_s`,
  ),
  ...load<'load' | 'load8_s' | 'load8_u' | 'load16_s' | 'load16_u'>(
    'i32',
    'load load8_s load8_u load16_s load16_u',
  ),
  ...store<'store' | 'store8' | 'store16'>('i32', 'store store8 store16'),
  /** Atomic read-modify-write; the result is the old value. */
  atomicRmw: rmw('i32'),
  atomicLoad: (address: WasmNode, offset = 0): WasmNode => ['i32.atomic.load', offset, address],
  atomicStore: (address: WasmNode, value: WasmNode, offset = 0): WasmNode => [
    'i32.atomic.store',
    offset,
    address,
    value,
  ],
};

/** Instructions on an integer of 64 bits, by their names in WebAssembly. */
export const i64 = {
  const: (value: bigint): WasmNode => ['i64.const', value],
  ...build<
    Compare | IntBinary | Truncation | 'eqz' | 'extend_i32_s' | 'extend_i32_u' | 'reinterpret_f64'
  >('i64', `${intCompare} ${intBinary} ${truncations} extend_i32_s extend_i32_u reinterpret_f64`),
  ...load<'load' | 'load32_s' | 'load32_u'>('i64', 'load load32_s load32_u'),
  ...store<'store' | 'store32'>('i64', 'store store32'),
  atomicRmw: rmw('i64'),
};

/** Instructions on a float, by their names in WebAssembly. */
export const f32 = {
  const: (value: number): WasmNode => ['f32.const', value],
  ...build<FloatCompare | FloatOps | Conversion | 'copysign' | 'demote_f64' | 'reinterpret_i32'>(
    'f32',
    `${floatCompare} ${floatOps} ${conversions} copysign demote_f64 reinterpret_i32`,
  ),
  ...load<'load'>('f32', 'load'),
  ...store<'store'>('f32', 'store'),
};

/** Instructions on a double, by their names in WebAssembly. */
export const f64 = {
  const: (value: number): WasmNode => ['f64.const', value],
  ...build<FloatCompare | FloatOps | Conversion | 'copysign' | 'promote_f32' | 'reinterpret_i64'>(
    'f64',
    `${floatCompare} ${floatOps} ${conversions} copysign promote_f32 reinterpret_i64`,
  ),
  ...load<'load'>('f64', 'load'),
  ...store<'store'>('f64', 'store'),
};
