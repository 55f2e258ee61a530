import type { MapEntry, SourceNode } from '../yaml/SourceNode.js';
import { plainOf } from '../yaml/SourceNode.js';

/**
 * A copy of a node in which names stand for values: a text that is a name, and `${name}` in longer texts and in keys. What is put
 * in keeps its place, and the copy is a place of its own.
 *
 *   { rcut: r, file: rdf_${r}.csv }   r → 2.5   ─▶   { rcut: 2.5, file: rdf_2.5.csv }
 */
export function substitute(node: SourceNode, values: ReadonlyMap<string, SourceNode>): SourceNode {
  const inText = (text: string) =>
    text.replace(/\$\{\s*(\w+)\s*\}/g, (found, name: string) => {
      const value = values.get(name);
      return value?.kind === 'scalar' ? String(plainOf(value)) : found;
    });
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'string') return { ...node };
    return values.get(node.value) ?? { ...node, value: inText(node.value) };
  }
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => substitute(item, values)) };
  const entries = [...node.entries.values()].map((entry): [string, MapEntry] => {
    const key = inText(entry.key);
    return [key, { ...entry, key, value: substitute(entry.value, values) }];
  });
  return { ...node, entries: new Map(entries) };
}
