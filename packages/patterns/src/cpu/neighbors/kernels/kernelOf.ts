import { FunctionBuilder, type WasmNode } from '@corpuscle/functor/wasm';
import { ArgumentLayout, type Kernel, type SlotType } from '../../Kernel.js';
import { loadSlot } from '../../kernels/wasmParameters.js';
import { wasmCode } from '../../wasmCode.js';

/** Reads of a kernel's argument record; each slot is loaded into a local once, at the start of the function. */
export interface RecordSlots {
  i32(name: string): WasmNode;
  address(name: string): WasmNode;
  f64(name: string): WasmNode;
}

/**
 * Makes a handwritten kernel `run(args, begin, end, thread)`. The code is assembled when the kernel is first used.
 * @param about what it does, for readers of its text.
 */
export function kernelOf(
  key: string,
  about: string,
  emit: (f: FunctionBuilder, slots: RecordSlots) => void,
): () => Kernel {
  let kernel: Kernel | undefined;
  return () => {
    kernel ??= build(key, about, emit);
    return kernel;
  };
}

function build(
  key: string,
  about: string,
  emit: (f: FunctionBuilder, slots: RecordSlots) => void,
): Kernel {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slot = (type: SlotType) => (name: string) => loadSlot(f, args, name, type);
  emit(f, { i32: slot('i32'), address: slot('address'), f64: slot('f64') });
  return { key, label: key, code: wasmCode(f, `${key}\n\n${about}`), args };
}
