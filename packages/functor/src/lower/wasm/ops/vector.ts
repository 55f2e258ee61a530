import type { WasmNode } from '../WasmNode.js';
import {
  build,
  type Compare,
  type FloatCompare,
  type FloatOps,
  floatCompare,
  floatOps,
  type IntLanes,
  intCompare,
  load,
  store,
} from './families.js';

type VectorLoad =
  | 'load'
  | 'load8x8_s'
  | 'load8x8_u'
  | 'load16x4_s'
  | 'load16x4_u'
  | 'load32x2_s'
  | 'load32x2_u'
  | 'load8_splat'
  | 'load16_splat'
  | 'load32_splat'
  | 'load64_splat'
  | 'load32_zero'
  | 'load64_zero';

const laneAccess =
  (op: string) =>
  (lane: number, address: WasmNode, vector: WasmNode, offset = 0): WasmNode => [
    `v128.${op}_lane`,
    offset,
    lane,
    address,
    vector,
  ];

/** Instructions on 16 bytes, whatever they hold, by their names in WebAssembly. */
export const v128 = {
  /** A constant from 16 bytes. */
  const: (bytes: Uint8Array): WasmNode => ['v128.const', bytes],
  ...build<'not' | 'and' | 'andnot' | 'or' | 'xor' | 'bitselect' | 'any_true'>(
    'v128',
    'not and andnot or xor bitselect any_true',
  ),
  ...load<VectorLoad>(
    'v128',
    'load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u load8_splat load16_splat load32_splat ' +
      'load64_splat load32_zero load64_zero',
  ),
  ...store<'store'>('v128', 'store'),
  load32Lane: laneAccess('load32'),
  load64Lane: laneAccess('load64'),
  store32Lane: laneAccess('store32'),
  store64Lane: laneAccess('store64'),
};

const bytesOf = (
  array: Int32Array | Float32Array | Float64Array | BigInt64Array | Uint8Array,
): WasmNode => ['v128.const', new Uint8Array(array.buffer, array.byteOffset, 16)];

const lanes = (family: string) => ({
  extract: (lane: number, vector: WasmNode): WasmNode => [`${family}.extract_lane`, lane, vector],
  replace: (lane: number, vector: WasmNode, value: WasmNode): WasmNode => [
    `${family}.replace_lane`,
    lane,
    vector,
    value,
  ],
});

/** Instructions on 16 bytes, by their names in WebAssembly. */
export const i8x16 = {
  /** Lanes 0–15 come from `a`, 16–31 from `b`. */
  shuffle: (pattern: readonly number[], a: WasmNode, b: WasmNode): WasmNode => [
    'i8x16.shuffle',
    Uint8Array.from(pattern),
    a,
    b,
  ],
  ...build<IntLanes | Compare | 'swizzle' | 'popcnt'>(
    'i8x16',
    `swizzle popcnt splat shl shr_s shr_u add sub abs neg all_true bitmask ${intCompare.slice(4)}`,
  ),
};

/** Instructions on four integers of 32 bits, by their names in WebAssembly. */
export const i32x4 = {
  const: (...values: readonly number[]): WasmNode =>
    bytesOf(Int32Array.from({ length: 4 }, (_, k) => values[k % values.length] ?? 0)),
  ...lanes('i32x4'),
  ...build<
    | IntLanes
    | Compare
    | 'min_s'
    | 'min_u'
    | 'max_s'
    | 'max_u'
    | 'trunc_sat_f32x4_s'
    | 'trunc_sat_f32x4_u'
    | 'trunc_sat_f64x2_s_zero'
    | 'trunc_sat_f64x2_u_zero'
  >(
    'i32x4',
    `${intCompare.slice(4)} abs neg shl shr_s shr_u add sub mul splat all_true bitmask min_s min_u max_s max_u ` +
      'trunc_sat_f32x4_s trunc_sat_f32x4_u trunc_sat_f64x2_s_zero trunc_sat_f64x2_u_zero',
  ),
};

/** Instructions on two integers of 64 bits, by their names in WebAssembly. */
export const i64x2 = {
  const: (...values: readonly bigint[]): WasmNode =>
    bytesOf(
      BigInt64Array.from({ length: 2 }, (_, k) =>
        BigInt.asIntN(64, values[k % values.length] ?? 0n),
      ),
    ),
  ...lanes('i64x2'),
  ...build<
    | IntLanes
    | 'eq'
    | 'ne'
    | 'lt_s'
    | 'gt_s'
    | 'le_s'
    | 'ge_s'
    | 'extend_low_i32x4_s'
    | 'extend_low_i32x4_u'
    | 'extend_high_i32x4_s'
    | 'extend_high_i32x4_u'
    | 'extmul_low_i32x4_u'
    | 'extmul_high_i32x4_u'
  >(
    'i64x2',
    'abs neg shl shr_s shr_u add sub mul splat all_true bitmask eq ne lt_s gt_s le_s ge_s extend_low_i32x4_s ' +
      'extend_low_i32x4_u extend_high_i32x4_s extend_high_i32x4_u extmul_low_i32x4_u extmul_high_i32x4_u',
  ),
};

type FloatLanes =
  | FloatOps
  | FloatCompare
  | 'pmin'
  | 'pmax'
  | 'splat'
  | 'relaxed_madd'
  | 'relaxed_nmadd';
const floatLanes = `${floatOps} ${floatCompare} pmin pmax splat relaxed_madd relaxed_nmadd`;

/** Instructions on four floats, by their names in WebAssembly. */
export const f32x4 = {
  const: (...values: readonly number[]): WasmNode =>
    bytesOf(Float32Array.from({ length: 4 }, (_, k) => values[k % values.length] ?? 0)),
  ...lanes('f32x4'),
  ...build<FloatLanes | 'convert_i32x4_s' | 'convert_i32x4_u' | 'demote_f64x2_zero'>(
    'f32x4',
    `${floatLanes} convert_i32x4_s convert_i32x4_u demote_f64x2_zero`,
  ),
};

/** Instructions on two doubles, by their names in WebAssembly. */
export const f64x2 = {
  const: (...values: readonly number[]): WasmNode =>
    bytesOf(Float64Array.from({ length: 2 }, (_, k) => values[k % values.length] ?? 0)),
  ...lanes('f64x2'),
  ...build<FloatLanes | 'convert_low_i32x4_s' | 'convert_low_i32x4_u' | 'promote_low_f32x4'>(
    'f64x2',
    `${floatLanes} convert_low_i32x4_s convert_low_i32x4_u promote_low_f32x4`,
  ),
};
