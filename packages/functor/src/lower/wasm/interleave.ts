import type { Label, WasmNode } from './WasmNode.js';

/**
 * Takes statements of several independent lists by turns, so that chains of dependent instructions run side by side: a
 * processor looks only so many instructions ahead. Blocks that nothing jumps out of are opened first.
 */
export function interleaved(lists: readonly (readonly WasmNode[])[]): WasmNode[] {
  const flat = lists.map(flattened);
  const longest = Math.max(0, ...flat.map((list) => list.length));
  return Array.from({ length: longest }, (_, k) =>
    flat.flatMap((list) => {
      const node = list[k];
      return node ? [node] : [];
    }),
  ).flat();
}

/** The same statements without blocks that nothing jumps out of, and without empty ones. */
export function flattened(list: readonly WasmNode[]): WasmNode[] {
  return list.flatMap((node) => {
    if (node[0] === 'nop') return [];
    if (node[0] !== 'block') return [node];
    const [, label, inside] = node as unknown as [string, Label, readonly WasmNode[]];
    return mentions(inside, ['br', 'br_if'], label) ? [node] : flattened(inside);
  });
}

/** Whether an instruction of one of these kinds with this first immediate occurs, at any depth. */
export function mentions(
  nodes: readonly WasmNode[],
  operations: readonly string[],
  immediate: number,
): boolean {
  return nodes.some(
    (node) =>
      (operations.includes(node[0]) && node[1] === immediate) ||
      node.some((part) => {
        if (!Array.isArray(part)) return false;
        const children = typeof part[0] === 'string' ? [part] : part;
        return mentions(children as unknown as readonly WasmNode[], operations, immediate);
      }),
  );
}
