import { type AddressType, mathImports } from '@corpuscle/functor/wasm';
import type { RunKernel } from './controlBlock.js';
import { wordShift } from './wordShift.js';

/** The shared heap as a thread has it. */
export interface ThreadHeap {
  readonly memory: WebAssembly.Memory;
  readonly addresses: AddressType;
}

/** Kernel code in a form that every thread can turn into a function; a compiled module is shared, not copied. */
export type LoadedCode =
  | { readonly kind: 'wasm'; readonly module: WebAssembly.Module }
  | { readonly kind: 'javascript'; readonly source: string }
  | { readonly kind: 'sequence'; readonly ids: readonly number[] };

/**
 * Makes a thread's own instance of a kernel over the shared heap.
 * @param byId finds the members of a sequence, which were loaded before it.
 */
export function instantiateKernel(
  code: LoadedCode,
  heap: ThreadHeap,
  byId: (id: number) => RunKernel,
): RunKernel {
  const { memory } = heap;
  if (code.kind === 'sequence') return sequence(code.ids.map(byId), heap);
  if (code.kind === 'javascript') return new Function('memory', code.source)(memory) as RunKernel;
  const imports = { env: { memory }, math: mathImports } as WebAssembly.Imports;
  const instance = new WebAssembly.Instance(code.module, imports);
  return instance.exports.run as RunKernel;
}

function sequence(members: readonly RunKernel[], { memory, addresses }: ThreadHeap): RunKernel {
  const shift = wordShift(addresses, 2);
  let words = new Int32Array(memory.buffer);
  return (args, begin, end, thread) => {
    if (words.buffer !== memory.buffer) words = new Int32Array(memory.buffer);
    const first = args >>> shift;
    for (let k = 0; k < members.length; k++) {
      members[k]!(words[first + k]! >>> 0, begin, end, thread);
    }
  };
}
