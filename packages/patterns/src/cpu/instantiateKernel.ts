import { mathImports } from '../lower/wasm/mathImports.js';
import type { RunKernel } from './controlBlock.js';

/** Kernel code in a form that every thread can turn into a function; a compiled module is shared, not copied. */
export type LoadedCode =
  | { readonly kind: 'wasm'; readonly module: WebAssembly.Module }
  | { readonly kind: 'javascript'; readonly source: string };

/** Makes a thread's own instance of a kernel over the shared heap. */
export function instantiateKernel(code: LoadedCode, memory: WebAssembly.Memory): RunKernel {
  if (code.kind === 'javascript') return new Function('memory', code.source)(memory) as RunKernel;
  const imports = { env: { memory }, math: mathImports } as WebAssembly.Imports;
  const instance = new WebAssembly.Instance(code.module, imports);
  return instance.exports.run as RunKernel;
}
