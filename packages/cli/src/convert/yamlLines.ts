import { stringify } from 'yaml';
import type { Value } from './Draft.js';

/** A line is broken where it would be longer. */
const WIDTH = 100;

type ValueMap = { readonly [key: string]: Value | undefined };

const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && !Array.isArray(value);
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const entriesOf = (map: ValueMap): [string, Value][] =>
  Object.entries(map).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));

/** A value as YAML, on one line for each key where it is a map. The caller indents it. */
export function yamlLines(value: Value): string[] {
  return isMap(value)
    ? entriesOf(value).flatMap(([key, inner]) => entryLines(inFlow(key), inner))
    : [inFlow(value)];
}

function entryLines(key: string, value: Value): string[] {
  const flow = inFlow(value);
  if (key.length + flow.length < WIDTH) return [`${key}: ${flow}`];
  if (isMap(value)) return [`${key}:`, ...yamlLines(value).map((line) => `  ${line}`)];
  if (isList(value) && value.some((item) => typeof item === 'object'))
    return [`${key}:`, ...value.map((item) => `  - ${inFlow(item)}`)];
  return [`${key}: ${flow}`];
}

/** One line, with quotes where YAML needs them. */
function inFlow(value: Value): string {
  if (isList(value)) return `[${value.map(inFlow).join(', ')}]`;
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, inner]) => `${inFlow(key)}: ${inFlow(inner)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  // As an item of a list it is quoted wherever it could end one.
  const options = { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false } as const;
  return stringify([value], options).trim().slice(1, -1);
}
