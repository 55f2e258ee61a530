import type { WasmType } from './WasmNode.js';

/**
 * Opcode tables: everything in the MVP, bulk memory, saturating conversions, SIMD, relaxed SIMD's madd and nmadd, and atomics.
 * Numbers are from the WebAssembly core specification, appendix "Index of Instructions".
 */
export const typeCode: Readonly<Record<WasmType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** Prefix byte (0 for none) and number of an instruction. */
export interface Opcode {
  readonly prefix: 0 | 0xfc | 0xfd | 0xfe;
  readonly code: number;
}

/** Instructions whose operands are all on the stack. */
export const plain = new Map<string, Opcode>();
/** Loads and stores: immediates are the natural alignment (log2 bytes) and the offset. */
export const memory = new Map<string, Opcode & { readonly align: number }>();
/** Lane accesses of vectors: the immediate is the lane. */
export const lane = new Map<string, Opcode>();
/** Loads and stores of one lane: immediates are alignment, offset and lane. */
export const laneMemory = new Map<string, Opcode & { readonly align: number }>();

/** Registers consecutive numbers; `_` skips one. */
function range(prefix: Opcode['prefix'], base: number, names: string, family = ''): void {
  names.split(' ').forEach((name, k) => {
    if (name !== '_') plain.set(family + name, { prefix, code: base + k });
  });
}

const floatUnary = 'abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign';
const intBinary =
  'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
const intCompare = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
range(0, 0x1a, 'drop select');
range(0, 0x00, 'unreachable nop');
range(0, 0x45, intCompare, 'i32.');
range(0, 0x50, intCompare, 'i64.');
range(0, 0x5b, 'eq ne lt gt le ge', 'f32.');
range(0, 0x61, 'eq ne lt gt le ge', 'f64.');
range(0, 0x67, intBinary, 'i32.');
range(0, 0x79, intBinary, 'i64.');
range(0, 0x8b, floatUnary, 'f32.');
range(0, 0x99, floatUnary, 'f64.');
range(0, 0xa7, 'wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u', 'i32.');
range(0, 0xac, 'extend_i32_s extend_i32_u trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u', 'i64.');
range(0, 0xb2, 'convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64', 'f32.');
range(0, 0xb7, 'convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32', 'f64.');
range(0, 0xbc, 'i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64');
range(0, 0xc0, 'i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s');
range(0xfc, 0, 'f32_s f32_u f64_s f64_u', 'i32.trunc_sat_');
range(0xfc, 4, 'f32_s f32_u f64_s f64_u', 'i64.trunc_sat_');

// Vectors.
const vectorCompare = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
range(0xfd, 0x0e, 'i8x16.swizzle');
range(0xfd, 0x0f, 'i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat');
range(0xfd, 0x23, vectorCompare, 'i8x16.');
range(0xfd, 0x2d, vectorCompare, 'i16x8.');
range(0xfd, 0x37, vectorCompare, 'i32x4.');
range(0xfd, 0x41, 'eq ne lt gt le ge', 'f32x4.');
range(0xfd, 0x47, 'eq ne lt gt le ge', 'f64x2.');
range(0xfd, 0x4d, 'not and andnot or xor bitselect any_true', 'v128.');
range(0xfd, 0x5e, 'f32x4.demote_f64x2_zero f64x2.promote_low_f32x4');
range(0xfd, 0x60, 'abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u', 'i8x16.');
range(0xfd, 0x67, 'ceil floor trunc nearest', 'f32x4.');
range(0xfd, 0x6b, 'shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u', 'i8x16.');
range(0xfd, 0x74, 'f64x2.ceil f64x2.floor i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u');
range(0xfd, 0x7a, 'f64x2.trunc i8x16.avgr_u');
range(
  0xfd,
  0x80,
  'abs neg q15mulr_sat_s all_true bitmask narrow_i32x4_s narrow_i32x4_u extend_low_i8x16_s ' +
    'extend_high_i8x16_s extend_low_i8x16_u extend_high_i8x16_u shl shr_s shr_u add add_sat_s ' +
    'add_sat_u sub sub_sat_s sub_sat_u',
  'i16x8.',
);
range(0xfd, 0x94, 'f64x2.nearest i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u');
range(
  0xfd,
  0xa0,
  'abs neg _ all_true bitmask _ _ extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u ' +
    'extend_high_i16x8_u shl shr_s shr_u add _ _ sub _ _ _ mul min_s min_u max_s max_u dot_i16x8_s',
  'i32x4.',
);
range(
  0xfd,
  0xc0,
  'abs neg _ all_true bitmask _ _ extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u ' +
    'extend_high_i32x4_u shl shr_s shr_u add _ _ sub _ _ _ mul eq ne lt_s gt_s le_s ge_s ' +
    'extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u',
  'i64x2.',
);
range(0xfd, 0xe0, 'abs neg _ sqrt add sub mul div min max pmin pmax', 'f32x4.');
range(0xfd, 0xec, 'abs neg _ sqrt add sub mul div min max pmin pmax', 'f64x2.');
range(0xfd, 0xf8, 'i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u');
range(0xfd, 0xfa, 'f32x4.convert_i32x4_s f32x4.convert_i32x4_u');
range(0xfd, 0xfc, 'i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero');
range(0xfd, 0xfe, 'f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u');
range(0xfd, 0x105, 'f32x4.relaxed_madd f32x4.relaxed_nmadd f64x2.relaxed_madd f64x2.relaxed_nmadd');

'i8x16.extract_lane_s i8x16.extract_lane_u i8x16.replace_lane i16x8.extract_lane_s i16x8.extract_lane_u i16x8.replace_lane i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane'
  .split(' ')
  .forEach((name, k) => {
    lane.set(name, { prefix: 0xfd, code: 0x15 + k });
  });

/** Registers memory instructions written as `name:align`. */
function accesses(prefix: Opcode['prefix'], base: number, names: string): void {
  names.split(' ').forEach((entry, k) => {
    const [name = '', align = ''] = entry.split(':');
    memory.set(name, { prefix, code: base + k, align: Number(align) });
  });
}

accesses(
  0,
  0x28,
  'i32.load:2 i64.load:3 f32.load:2 f64.load:3 i32.load8_s:0 i32.load8_u:0 i32.load16_s:1 ' +
    'i32.load16_u:1 i64.load8_s:0 i64.load8_u:0 i64.load16_s:1 i64.load16_u:1 i64.load32_s:2 ' +
    'i64.load32_u:2 i32.store:2 i64.store:3 f32.store:2 f64.store:3 i32.store8:0 i32.store16:1 ' +
    'i64.store8:0 i64.store16:1 i64.store32:2',
);
// Vectors are read at any address, so no more than 4-byte alignment is promised for whole ones.
accesses(
  0xfd,
  0,
  'v128.load:2 v128.load8x8_s:3 v128.load8x8_u:3 v128.load16x4_s:3 v128.load16x4_u:3 ' +
    'v128.load32x2_s:3 v128.load32x2_u:3 v128.load8_splat:0 v128.load16_splat:1 ' +
    'v128.load32_splat:2 v128.load64_splat:3 v128.store:2',
);
accesses(0xfd, 0x5c, 'v128.load32_zero:2 v128.load64_zero:3');
'load8:0 load16:1 load32:2 load64:3 store8:0 store16:1 store32:2 store64:3'
  .split(' ')
  .forEach((entry, k) => {
    const [name = '', align = ''] = entry.split(':');
    laneMemory.set(`v128.${name}_lane`, { prefix: 0xfd, code: 0x54 + k, align: Number(align) });
  });

// Atomics: the alignment must be the natural one.
accesses(0xfe, 0x00, 'memory.atomic.notify:2 memory.atomic.wait32:2 memory.atomic.wait64:3');
accesses(
  0xfe,
  0x10,
  'i32.atomic.load:2 i64.atomic.load:3 i32.atomic.load8_u:0 i32.atomic.load16_u:1',
);
accesses(
  0xfe,
  0x17,
  'i32.atomic.store:2 i64.atomic.store:3 i32.atomic.store8:0 i32.atomic.store16:1',
);
['add', 'sub', 'and', 'or', 'xor', 'xchg', 'cmpxchg'].forEach((op, k) => {
  accesses(0xfe, 0x1e + 7 * k, `i32.atomic.rmw.${op}:2 i64.atomic.rmw.${op}:3`);
});

const toI32 = /^(i32|i64|f32|f64)\.(eqz?|ne|[lg][te](_[su])?)$|\.(any_true|all_true|bitmask)$/;

/** The type of an instruction's result, by its name; null for those without one. */
export function resultType(op: string): WasmType | null {
  if (toI32.test(op)) return 'i32';
  if (/\.store|^local\.set$|^(drop|nop|br|br_if|block|loop|if|return|unreachable)$/.test(op))
    return null;
  if (op.startsWith('memory.atomic')) return 'i32';
  const family = op.slice(0, op.indexOf('.'));
  if (op.includes('.extract_lane')) {
    return family === 'i64x2'
      ? 'i64'
      : family === 'f32x4'
        ? 'f32'
        : family === 'f64x2'
          ? 'f64'
          : 'i32';
  }
  if (family === 'i32' || family === 'i64' || family === 'f32' || family === 'f64') return family;
  if (family === 'v128' || family.includes('x')) return 'v128';
  return null;
}
