import type { ModuleSpec } from './assembleModule.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import { canShare, mostPages } from './memories.js';
import type { WasmNode } from './WasmNode.js';
import { wideAddresses } from './wideAddresses.js';

/** The memory of modules that say nothing else: any SharedHeap's with such addresses fits. */
export const memoryOf = ({
  memory,
  addresses = 'i32',
}: ModuleSpec): NonNullable<ModuleSpec['memory']> =>
  memory ?? { minimum: 1, maximum: mostPages[addresses], shared: canShare };

/** The functions of a module and all they use, each once, callees after their first callers. */
export function functionsOf(spec: ModuleSpec): FunctionBuilder[] {
  const all = usedFunctions(spec);
  return spec.addresses === 'i64' ? all.map(wideAddresses) : all;
}

function usedFunctions({ functions }: ModuleSpec): FunctionBuilder[] {
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
