import type { WasmNode } from './WasmNode.js';

/**
 * Constructors of instruction trees, so that kernels written by hand read like code:
 *
 *   f64x2.add(f64x2.mul(a, b), c)      i32.load(address, 16)      v128.store(address, value)
 *
 * Memory instructions take the address first and the constant byte offset last.
 */
type Build<Names extends string> = Readonly<
  Record<Names, (...operands: readonly WasmNode[]) => WasmNode>
>;
type Load<Names extends string> = Readonly<
  Record<Names, (address: WasmNode, offset?: number) => WasmNode>
>;
type Store<Names extends string> = Readonly<
  Record<Names, (address: WasmNode, value: WasmNode, offset?: number) => WasmNode>
>;

function table<T>(names: string, make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, make(name)]));
}

const build = <N extends string>(family: string, names: string) =>
  table(
    names,
    (name) =>
      (...operands: readonly WasmNode[]): WasmNode => [`${family}.${name}`, ...operands],
  ) as Build<N>;
const load = <N extends string>(family: string, names: string) =>
  table(
    names,
    (name) =>
      (address: WasmNode, offset = 0): WasmNode => [`${family}.${name}`, offset, address],
  ) as Load<N>;
const store = <N extends string>(family: string, names: string) =>
  table(
    names,
    (name) =>
      (address: WasmNode, value: WasmNode, offset = 0): WasmNode => [
        `${family}.${name}`,
        offset,
        address,
        value,
      ],
  ) as Store<N>;

type Compare = 'eq' | 'ne' | 'lt_s' | 'lt_u' | 'gt_s' | 'gt_u' | 'le_s' | 'le_u' | 'ge_s' | 'ge_u';
type FloatCompare = 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge';
type IntBinary =
  | 'clz'
  | 'ctz'
  | 'popcnt'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div_s'
  | 'div_u'
  | 'rem_s'
  | 'rem_u'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'shr_s'
  | 'shr_u'
  | 'rotl'
  | 'rotr';
type FloatOps =
  | 'abs'
  | 'neg'
  | 'ceil'
  | 'floor'
  | 'trunc'
  | 'nearest'
  | 'sqrt'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'min'
  | 'max';
type IntLanes =
  | 'abs'
  | 'neg'
  | 'shl'
  | 'shr_s'
  | 'shr_u'
  | 'add'
  | 'sub'
  | 'mul'
  | 'splat'
  | 'all_true'
  | 'bitmask';

const intCompare = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const intBinary =
  'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
const floatCompare = 'eq ne lt gt le ge';
const floatOps = 'abs neg ceil floor trunc nearest sqrt add sub mul div min max';
const conversions = 'convert_i32_s convert_i32_u convert_i64_s convert_i64_u';
const truncations = 'trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u';
type Truncation = 'trunc_sat_f32_s' | 'trunc_sat_f32_u' | 'trunc_sat_f64_s' | 'trunc_sat_f64_u';
type Conversion = 'convert_i32_s' | 'convert_i32_u' | 'convert_i64_s' | 'convert_i64_u';

const rmw = (family: string) =>
  table(
    'add sub and or xor xchg',
    (op) =>
      (address: WasmNode, value: WasmNode, offset = 0): WasmNode => [
        `${family}.atomic.rmw.${op}`,
        offset,
        address,
        value,
      ],
  ) as Store<'add' | 'sub' | 'and' | 'or' | 'xor' | 'xchg'>;

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
  /** Stores `replacement` if memory holds `expected`; the result is the old value. */
  atomicCmpxchg: (
    address: WasmNode,
    expected: WasmNode,
    replacement: WasmNode,
    offset = 0,
  ): WasmNode => ['i32.atomic.rmw.cmpxchg', offset, address, expected, replacement],
};

export const i64 = {
  const: (value: bigint): WasmNode => ['i64.const', value],
  ...build<
    Compare | IntBinary | Truncation | 'eqz' | 'extend_i32_s' | 'extend_i32_u' | 'reinterpret_f64'
  >('i64', `${intCompare} ${intBinary} ${truncations} extend_i32_s extend_i32_u reinterpret_f64`),
  ...load<'load' | 'load32_s' | 'load32_u'>('i64', 'load load32_s load32_u'),
  ...store<'store' | 'store32'>('i64', 'store store32'),
  atomicRmw: rmw('i64'),
};

export const f32 = {
  const: (value: number): WasmNode => ['f32.const', value],
  ...build<FloatCompare | FloatOps | Conversion | 'copysign' | 'demote_f64' | 'reinterpret_i32'>(
    'f32',
    `${floatCompare} ${floatOps} ${conversions} copysign demote_f64 reinterpret_i32`,
  ),
  ...load<'load'>('f32', 'load'),
  ...store<'store'>('f32', 'store'),
};

export const f64 = {
  const: (value: number): WasmNode => ['f64.const', value],
  ...build<FloatCompare | FloatOps | Conversion | 'copysign' | 'promote_f32' | 'reinterpret_i64'>(
    'f64',
    `${floatCompare} ${floatOps} ${conversions} copysign promote_f32 reinterpret_i64`,
  ),
  ...load<'load'>('f64', 'load'),
  ...store<'store'>('f64', 'store'),
};

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
  >(
    'i64x2',
    'abs neg shl shr_s shr_u add sub mul splat all_true bitmask eq ne lt_s gt_s le_s ge_s extend_low_i32x4_s ' +
      'extend_low_i32x4_u extend_high_i32x4_s extend_high_i32x4_u',
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

export const f32x4 = {
  const: (...values: readonly number[]): WasmNode =>
    bytesOf(Float32Array.from({ length: 4 }, (_, k) => values[k % values.length] ?? 0)),
  ...lanes('f32x4'),
  ...build<FloatLanes | 'convert_i32x4_s' | 'convert_i32x4_u' | 'demote_f64x2_zero'>(
    'f32x4',
    `${floatLanes} convert_i32x4_s convert_i32x4_u demote_f64x2_zero`,
  ),
};

export const f64x2 = {
  const: (...values: readonly number[]): WasmNode =>
    bytesOf(Float64Array.from({ length: 2 }, (_, k) => values[k % values.length] ?? 0)),
  ...lanes('f64x2'),
  ...build<FloatLanes | 'convert_low_i32x4_s' | 'convert_low_i32x4_u' | 'promote_low_f32x4'>(
    'f64x2',
    `${floatLanes} convert_low_i32x4_s convert_low_i32x4_u promote_low_f32x4`,
  ),
};

export const memory = {
  /** memory.fill(address, byte, length) */
  fill: (address: WasmNode, byte: WasmNode, length: WasmNode): WasmNode => [
    'memory.fill',
    address,
    byte,
    length,
  ],
  /** memory.copy(to, from, length) */
  copy: (to: WasmNode, from: WasmNode, length: WasmNode): WasmNode => [
    'memory.copy',
    to,
    from,
    length,
  ],
  fence: (): WasmNode => ['atomic.fence'],
};

/** `condition ? then : otherwise`; both are computed. */
export const select = (condition: WasmNode, then: WasmNode, otherwise: WasmNode): WasmNode => [
  'select',
  then,
  otherwise,
  condition,
];

/** A call of another function of the module, or of `math.<name>`. */
export const call = (name: string, ...args: readonly WasmNode[]): WasmNode => [
  'call',
  name,
  ...args,
];

export const drop = (value: WasmNode): WasmNode => ['drop', value];
