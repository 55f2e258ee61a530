import { FunctionBuilder, type WasmNode } from '@corpuscle/functor/wasm';
import { ArgumentLayout, type Kernel } from '../../Kernel.js';
import { wasmCode } from '../../wasmCode.js';

/** Reads of a kernel's argument record; each slot is loaded into a local once, at the start of the function. */
export interface RecordSlots {
  i32(name: string): WasmNode;
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
  const slot = (name: string, type: 'i32' | 'f64'): WasmNode => {
    const local = f.local(type);
    f.atEntry(['local.set', local, [`${type}.load`, args.slot(name, type), f.param(0)]]);
    return f.get(f.called(local, name));
  };
  emit(f, { i32: (name) => slot(name, 'i32'), f64: (name) => slot(name, 'f64') });
  return { key, label: key, code: wasmCode(f, `${key}\n\n${about}`), args };
}
