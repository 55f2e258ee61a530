import { assembleModule, FunctionBuilder, f64x2 } from '@corpuscle/functor/wasm';

let supported: boolean | null = null;

/** Whether this machine's WebAssembly has relaxed multiply-add; asked once (Node 22 and later have it). */
export function relaxedSimd(): boolean {
  if (supported === null) {
    const f = new FunctionBuilder('run', ['v128']);
    f.set(0, f64x2.relaxed_madd(f.param(0), f.param(0), f.param(0)));
    const bytes = assembleModule({ functions: [f], exports: ['run'] });
    supported = WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>);
  }
  return supported;
}
