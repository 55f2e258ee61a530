import type { CorpuscleError, ErrorCode, SourceLocation } from '@corpuscle/functor/error';
import type { PlainValue } from '../SlotSpec.js';
import type { SourceText } from './SourceText.js';

interface Place {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

export type ScalarValue = string | number | boolean | null;

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  /** Where character 0 of a text value stands, so that mistakes inside it can be pointed at. */
  readonly textStart: number;
}

export interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
}

export interface MapNode extends Place {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, MapEntry>;
}

/** One `key: value`; the place is that of the key. */
export interface MapEntry extends Place {
  readonly key: string;
  readonly value: SourceNode;
}

/** A YAML value that knows where it was written. Merging never changes nodes: a node's identity is its place. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export function locationOf(place: SourceNode | MapEntry): SourceLocation {
  return place.source.locate(place.start, place.end);
}

export function errorAt(
  place: SourceNode | MapEntry,
  code: ErrorCode,
  message: string,
): CorpuscleError {
  return place.source.error(code, message, place.start, place.end);
}

/** A value as the user would read it in a message: `the text 'abc'`, `3`, `a list`. */
export function describeNode(node: SourceNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.value === null) return 'empty';
  return typeof node.value === 'string' ? `the text '${node.value}'` : String(node.value);
}

/** The plain value of a node. */
export function plainOf(node: SourceNode): PlainValue | null {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map((item) => plainOf(item) ?? '');
  return Object.fromEntries(
    [...node.entries].map(([key, { value }]) => [key, plainOf(value) ?? '']),
  );
}

/** A node for a value that is not in a file, such as the default of a slot. */
export function nodeOf(value: PlainValue, source: SourceText): SourceNode {
  const place = { source, start: 0, end: 0 };
  if (typeof value !== 'object') return { ...place, kind: 'scalar', value, textStart: 0 };
  if (Array.isArray(value)) {
    return { ...place, kind: 'list', items: value.map((item: PlainValue) => nodeOf(item, source)) };
  }
  const entries = Object.entries(value).map(([key, item]): [string, MapEntry] => [
    key,
    { ...place, key, value: nodeOf(item, source) },
  ]);
  return { ...place, kind: 'map', entries: new Map(entries) };
}
