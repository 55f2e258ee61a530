import type { WasmNode } from '../WasmNode.js';

/** Makes constructors of whole families of instructions from their names. */
export type Build<Names extends string> = Readonly<
  Record<Names, (...operands: readonly WasmNode[]) => WasmNode>
>;
export type Load<Names extends string> = Readonly<
  Record<Names, (address: WasmNode, offset?: number) => WasmNode>
>;
export type Store<Names extends string> = Readonly<
  Record<Names, (address: WasmNode, value: WasmNode, offset?: number) => WasmNode>
>;

export function table<T>(names: string, make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, make(name)]));
}

export const build = <N extends string>(family: string, names: string) =>
  table(
    names,
    (name) =>
      (...operands: readonly WasmNode[]): WasmNode => [`${family}.${name}`, ...operands],
  ) as Build<N>;
export const load = <N extends string>(family: string, names: string) =>
  table(
    names,
    (name) =>
      (address: WasmNode, offset = 0): WasmNode => [`${family}.${name}`, offset, address],
  ) as Load<N>;
export const store = <N extends string>(family: string, names: string) =>
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

export type Compare =
  | 'eq'
  | 'ne'
  | 'lt_s'
  | 'lt_u'
  | 'gt_s'
  | 'gt_u'
  | 'le_s'
  | 'le_u'
  | 'ge_s'
  | 'ge_u';
export type FloatCompare = 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge';
export type IntBinary =
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
export type FloatOps =
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
export type IntLanes =
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

export const intCompare = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
export const intBinary =
  'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
export const floatCompare = 'eq ne lt gt le ge';
export const floatOps = 'abs neg ceil floor trunc nearest sqrt add sub mul div min max';
export const conversions = 'convert_i32_s convert_i32_u convert_i64_s convert_i64_u';
export const truncations = 'trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u';
export type Truncation =
  | 'trunc_sat_f32_s'
  | 'trunc_sat_f32_u'
  | 'trunc_sat_f64_s'
  | 'trunc_sat_f64_u';
export type Conversion = 'convert_i32_s' | 'convert_i32_u' | 'convert_i64_s' | 'convert_i64_u';

export const rmw = (family: string) =>
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
