import type { MapEntry, SourceNode } from './SourceNode.js';

/**
 * The number that an entry is the rest of, because it was written with a decimal comma; null for other entries. In a flow map, YAML
 * ends the number at the comma:
 *
 *   { temperature: 1,44 }   is   { temperature: 1, 44: null }
 */
export function decimalComma(before: MapEntry, rest: MapEntry): SourceNode | null {
  const { source, key, value, start, end } = rest;
  if (before.value.kind !== 'scalar' || value.kind !== 'scalar' || value.value !== null)
    return null;
  const { value: whole, start: from, end: comma } = before.value;
  const isRest = /^\d+(e[+-]?\d+)?(\s.*)?$/i.test(key) && source.text.slice(comma, start) === ',';
  if (typeof whole !== 'number' || !isRest) return null;
  const meant = `${source.text.slice(from, comma)}.${key}`;
  const number = Number(meant);
  return { ...before.value, end, value: Number.isNaN(number) ? meant : number };
}
