import type { WrittenValue } from '../Composite.js';
import type { MapEntry, SourceNode } from './SourceNode.js';

/** A node for what a composite writes. It stands where the user named the composite; nodes inside stay where they are. */
export function writtenNode(value: WrittenValue, place: SourceNode | MapEntry): SourceNode {
  const { source, start, end } = place;
  const at = { source, start, end };
  if (typeof value !== 'object') return { ...at, kind: 'scalar', value, textStart: start };
  if (isList(value))
    return { ...at, kind: 'list', items: value.map((item) => writtenNode(item, place)) };
  if (isNode(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, MapEntry] => [
    key,
    { ...at, key, value: writtenNode(item, place) },
  ]);
  return { ...at, kind: 'map', entries: new Map(entries) };
}

const isList = (value: WrittenValue): value is readonly WrittenValue[] => Array.isArray(value);

const isNode = (value: object): value is SourceNode => 'kind' in value && 'source' in value;
