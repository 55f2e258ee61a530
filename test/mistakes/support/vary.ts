import type { SlotSpec, ValueSpec } from '@corpuscle/core';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { registry } from './documents.js';
import type { Random } from './random.js';
import { type Site, sitesOf } from './sites.js';

/**
 * Another right document made from one: all numbers are larger by one factor, which keeps what is equal equal, slots have their defaults in words, and YAML is written in
 * another style, with names in another order.
 */
export function vary(text: string, random: Random): string {
  let varied = text;
  const factor = 1 + random.below(10) / 256;
  const sites = [...sitesOf(text)].sort((a, b) => b.start - a.start);
  let after = text.length + 1;
  for (const site of sites) {
    const by =
      site.kind === 'value' && site.end <= after ? otherValue(site, factor, random) : undefined;
    if (by === undefined) continue;
    varied = varied.slice(0, site.start) + by + varied.slice(site.end);
    after = site.start;
  }
  return restyled(varied, random);
}

/** A value as right as the one that is there; undefined where none is known. */
function otherValue(
  { spec, text }: Extract<Site, { readonly kind: 'value' }>,
  factor: number,
  random: Random,
): string | undefined {
  const number = Number(text);
  const isNumber = text !== '' && Number.isFinite(number) && number !== 0;
  switch (spec.type) {
    case 'number':
    case 'quantity': {
      if (!isNumber) return undefined;
      const other = number * factor;
      return isInside(other, spec)
        ? random.pick([String(other), other.toExponential(), `'${other}'`])
        : undefined;
    }
    case 'integer':
      return isNumber ? random.pick([text, `${text}.0`, `'${text}'`, `${text}e0`]) : undefined;
    case 'string':
      return /^['"]/.test(text) ? undefined : `'${text}'`;
    default:
      return undefined;
  }
}

const isInside = (
  value: number,
  { min, max, above, below }: Extract<ValueSpec, { type: 'number' | 'quantity' }>,
) =>
  value >= (min ?? value) &&
  value <= (max ?? value) &&
  (above === undefined || value > above) &&
  (below === undefined || value < below);

/** Maps in flow or block style, slots in another order, and some that were absent with their defaults. */
function restyled(text: string, random: Random): string {
  const document = parseDocument(text);
  visit(document, {
    Pair(_, { key, value }) {
      const name = isScalar(key) ? String(key.value) : '';
      const operator = registry.operator(name) ?? registry.composite(name);
      if (!operator || !isMap(value)) return;
      if ('namedOutputs' in operator && operator.namedOutputs) return;
      for (const [slot, spec] of Object.entries(operator.slots))
        if (slot !== 'coupling' && mayBeGiven(spec) && !value.has(slot) && random.below(3) === 0)
          value.set(slot, document.createNode(spec.default));
      if (random.below(2) === 0) value.items.reverse();
      value.flow = random.below(2) === 0;
    },
  });
  return document.toString({ indent: random.pick([2, 3, 4]), lineWidth: 0 });
}

/** Whether a slot may say its default in words: connected ones would be cut off, and files are made. */
const mayBeGiven = ({ direction, type, ...spec }: SlotSpec): boolean =>
  (direction === undefined || direction === 'private') &&
  spec.default !== undefined &&
  ['number', 'integer', 'quantity', 'boolean', 'enum', 'string'].includes(type);
