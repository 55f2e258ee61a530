import type { MapEntry, SourceNode } from '../yaml/SourceNode.js';
import { plainOf } from '../yaml/SourceNode.js';

/**
 * A copy of a node in which names stand for values: a text that is a name, and `${name}` in longer texts and in keys. What is put
 * in keeps its place, and the copy is a place of its own.
 *
 *   { rcut: r, file: rdf_${r}.csv }   r → 2.5   ─▶   { rcut: 2.5, file: rdf_2.5.csv }
 *   shell(r, near)                    r → 2.5   ─▶   shell(2.5, near)
 *
 * @param isMacro whether a name is that of a macro: its values are values of their own.
 */
export function substitute(
  node: SourceNode,
  values: ReadonlyMap<string, SourceNode>,
  isMacro: (name: string) => boolean,
): SourceNode {
  const inText = (text: string) =>
    inCall(text, values, isMacro).replace(/\$\{\s*(\w+)\s*\}/g, (found, name: string) => {
      const value = values.get(name);
      return value?.kind === 'scalar' ? String(plainOf(value)) : found;
    });
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'string') return { ...node };
    return values.get(node.value) ?? { ...node, value: inText(node.value) };
  }
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => substitute(item, values, isMacro)) };
  const entries = [...node.entries.values()].map((entry): [string, MapEntry] => {
    const key = inText(entry.key);
    return [key, { ...entry, key, value: substitute(entry.value, values, isMacro) }];
  });
  return { ...node, entries: new Map(entries) };
}

/** The use of a macro with other values; any other text as it is. */
function inCall(
  text: string,
  values: ReadonlyMap<string, SourceNode>,
  isMacro: (name: string) => boolean,
): string {
  const [, name, list] = /^\s*(\w+)\s*\(([^()]*)\)\s*$/.exec(text) ?? [];
  if (name === undefined || !isMacro(name)) return text;
  const given = list!.split(',').map((word) => {
    const value = values.get(word.trim());
    if (value?.kind !== 'scalar') return word.trim();
    const plain = plainOf(value);
    return typeof plain === 'string' && plain.includes(',') ? `'${plain}'` : String(plain);
  });
  return `${name}(${given.join(', ')})`;
}
