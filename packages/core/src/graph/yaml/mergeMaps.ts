import { errorAt, type MapEntry, type MapNode, type SourceNode } from './SourceNode.js';

/**
 * `over` merged on top of `base`, as exaNBody merges documents: maps recursively, scalars and lists replace what was
 * there, and a key `+name` appends its items to the list `name` (or starts it).
 */
export function mergeMaps(base: MapNode | undefined, over: MapNode): MapNode {
  const entries = new Map<string, MapEntry>(base?.entries);
  const appended: MapEntry[] = [];
  for (const entry of over.entries.values()) {
    if (entry.key.length > 1 && entry.key.startsWith('+')) appended.push(entry);
    else entries.set(entry.key, mergeEntry(entries.get(entry.key), entry));
  }
  for (const entry of appended) {
    const key = entry.key.slice(1);
    const value = append(entries.get(key)?.value, entry);
    entries.set(key, { ...(entries.get(key) ?? entry), key, value });
  }
  return { ...over, entries };
}

function mergeEntry(before: MapEntry | undefined, entry: MapEntry): MapEntry {
  if (entry.value.kind !== 'map') return entry;
  const base = before?.value.kind === 'map' ? before.value : undefined;
  // Also without a base: keys `+name` inside are resolved.
  return { ...entry, value: mergeMaps(base, entry.value) };
}

function append(before: SourceNode | undefined, entry: MapEntry): SourceNode {
  if (before?.kind === 'map') {
    throw errorAt(
      entry,
      'WRONG_TYPE',
      `'${entry.key}' appends to a list, but ${entry.key.slice(1)} is a map: write ${entry.key.slice(1)} to merge maps`,
    );
  }
  const present =
    !before || (before.kind === 'scalar' && before.value === null) ? [] : itemsOf(before);
  return {
    source: entry.value.source,
    start: entry.value.start,
    end: entry.value.end,
    kind: 'list',
    items: [...present, ...itemsOf(entry.value)],
  };
}

// A lone name or operator is a list of one.
const itemsOf = (node: SourceNode): readonly SourceNode[] =>
  node.kind === 'list' ? node.items : [node];
