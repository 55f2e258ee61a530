import { i32, select, type WasmNode } from '@corpuscle/functor/wasm';

/** `value << bits`. */
export const shl = (value: WasmNode, bits: number): WasmNode => i32.shl(value, i32.const(bits));

/** Address of element `k` of an array of 4-byte numbers. */
export const at4 = (base: WasmNode, k: WasmNode): WasmNode => i32.add(base, shl(k, 2));

/** The larger of two signed numbers that may be computed twice (locals, constants). */
export const larger = (a: WasmNode, b: WasmNode): WasmNode => select(i32.gt_s(a, b), a, b);

/** The smaller of two signed numbers that may be computed twice (locals, constants). */
export const smaller = (a: WasmNode, b: WasmNode): WasmNode => select(i32.lt_s(a, b), a, b);
