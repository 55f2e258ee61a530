import { address, type FunctionBuilder, type WasmNode } from '@corpuscle/functor/wasm';
import type { ArgumentLayout, SlotType } from '../Kernel.js';

/** Reads a slot of the argument record, whose word is the first argument of `run`. */
export function slotValue(
  f: FunctionBuilder,
  args: ArgumentLayout,
  name: string,
  type: SlotType,
): WasmNode {
  const record = address(f.param(0));
  const offset = args.slot(name, type);
  if (type === 'f64') return ['f64.load', offset, record];
  const word: WasmNode = ['i32.load', offset, record];
  return type === 'address' ? address(word) : word;
}
