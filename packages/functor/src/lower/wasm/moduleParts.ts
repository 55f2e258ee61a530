import type { ModuleSpec } from './assembleModule.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import type { WasmNode } from './WasmNode.js';

/**
 * Whether WebAssembly has memory that threads share. Some browsers have it only in pages that are isolated by their headers;
 * modules and heaps have memory of one thread there.
 */
export const canShare: boolean = (() => {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer.byteLength > 0;
  } catch {
    return false;
  }
})();

/** The memory of modules that say nothing else: any SharedHeap's fits. */
export const sharedMemory = { minimum: 1, maximum: 65536, shared: canShare } as const;

/** The functions of a module and all they use, each once, callees after their first callers. */
export function functionsOf({ functions }: ModuleSpec): FunctionBuilder[] {
  const all = [...functions];
  for (let k = 0; k < all.length; k++) {
    for (const used of all[k]?.uses.values() ?? []) {
      if (!all.some((f) => f.name === used.name)) all.push(used);
    }
  }
  return all;
}

/** Imported functions with their number of arguments, in the order of first use. */
export function importsOf(functions: readonly FunctionBuilder[]): { name: string; args: number }[] {
  const found: { name: string; args: number }[] = [];
  const visit = (node: WasmNode): void => {
    const name = node[1];
    if (node[0] === 'call' && typeof name === 'string' && name.startsWith('math.')) {
      const args = node.length - 2;
      if (!found.some((f) => f.name === name && f.args === args)) found.push({ name, args });
    }
    for (const operand of node) {
      if (!Array.isArray(operand)) continue;
      if (typeof operand[0] === 'string') visit(operand as unknown as WasmNode);
      else for (const inner of operand as readonly WasmNode[]) visit(inner);
    }
  };
  for (const f of functions) for (const node of f.code) visit(node);
  return found;
}
