/**
 * A WebAssembly instruction with its operands as a tree. After the name stand the immediates, then the operands, in the order
 * in which WebAssembly's text format writes them:
 *
 *   ['f64.add', a, b]                      ['f64.load', offset, address]        ['i32.store', offset, address, value]
 *   ['local.get', k]                       ['local.set', k, value]              ['f64x2.extract_lane', lane, v]
 *   ['i8x16.shuffle', lanes, a, b]         ['v128.load32_lane', offset, lane, address, v]
 *   ['block', label, nodes]                ['loop', label, nodes]               ['if', condition, nodes, nodes]
 *   ['br', label]                          ['br_if', label, condition]          ['call', name, ...args]
 *   ['comment', text]                      for readers of the text form; no instruction
 *   ['address', word]                      the address that an i32 names: itself, see `address`
 *
 * A node that occurs twice is computed twice: see {@link FunctionBuilder.keep}.
 */
export type WasmNode = readonly [op: string, ...operands: WasmOperand[]];

export type WasmOperand = WasmNode | WasmList | Uint8Array | string | number | bigint;

/** The statements of a block. An interface, because a type alias may not be circular through an array. */
export interface WasmList extends ReadonlyArray<WasmNode> {}

/** The types of locals and results. */
export type WasmType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** A jump target; unique in its function. */
export type Label = number;
