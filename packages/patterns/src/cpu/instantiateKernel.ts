import type { RunKernel } from './controlBlock.js';

/** Kernel code in a form that every thread can turn into a function; a compiled module is shared, not copied. */
export type LoadedCode =
  | { readonly kind: 'wasm'; readonly module: WebAssembly.Module }
  | { readonly kind: 'javascript'; readonly source: string };

const mathFunctions = Math as unknown as Record<string, WebAssembly.ImportValue>;

/** Makes a thread's own instance of a kernel over the shared heap. */
export function instantiateKernel(code: LoadedCode, memory: WebAssembly.Memory): RunKernel {
  if (code.kind === 'javascript') return new Function('memory', code.source)(memory) as RunKernel;
  const math: Record<string, WebAssembly.ImportValue> = {};
  for (const { module, name } of WebAssembly.Module.imports(code.module)) {
    if (module === 'math') math[name] = mathFunctions[name]!;
  }
  const instance = new WebAssembly.Instance(code.module, { env: { memory }, math });
  return instance.exports.run as RunKernel;
}
