import { configurationEntries, sameDimension, type ValueSpec } from '@corpuscle/core';
import { registry } from './documents.js';
import type { Random } from './random.js';
import type { Site } from './sites.js';

/** One mistake put into a right document. */
export interface Spoiling {
  /** What is replaced, and by what. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What is to be told of it: the code, and the character of the right document, or of the new text (`inside`). */
  readonly code: string;
  readonly at: number;
  readonly inside: number;
}

/** Mistakes that people make at a place. */
export function spoilings(site: Site, random: Random): readonly Spoiling[] {
  const { start, end, text, column } = site;
  const replace = (by: string, code: string, inside = 0): Spoiling => ({
    start,
    end,
    text: by,
    code,
    at: start,
    inside,
  });
  switch (site.kind) {
    case 'section':
      return [replace(misspelt(text, random), 'UNKNOWN_KEY')];
    case 'operator': {
      const wrong = misspelt(text, random);
      return isName(wrong) ? [] : [replace(wrong, 'UNKNOWN_OPERATOR')];
    }
    case 'key': {
      const { known, siblings, needed, isFlow } = site;
      const wrong = misspelt(text, random);
      const found: Spoiling[] = [
        replace(
          `color_${start}: red${isFlow ? ', ' : `\n${' '.repeat(column)}`}${text}`,
          'UNKNOWN_KEY',
        ),
      ];
      if (!known.includes(wrong) && !siblings.includes(wrong))
        found.push(replace(wrong, 'UNKNOWN_KEY'));
      if (needed) {
        const { by, from, to } = needed;
        found.push({ start: from, end: to, text: '', code: 'MISSING_VALUE', at: by, inside: 0 });
      }
      return found;
    }
    case 'value':
      return wrongValues(site, random).map(([by, code, inside]) => replace(by, code, inside));
  }
}

type Wrong = readonly [text: string, code: string, inside?: number];

function wrongValues(
  { spec, text, isReduced }: Extract<Site, { readonly kind: 'value' }>,
  random: Random,
): Wrong[] {
  const list: Wrong = ['[[1]]', 'WRONG_TYPE'];
  const word = text.replace(/^['"]|['"]$/g, '');
  switch (spec.type) {
    case 'number':
    case 'integer':
      return [
        list,
        ['soon', 'WRONG_TYPE'],
        ...outside(spec),
        ...(spec.type === 'integer' ? [['2.5', 'WRONG_TYPE'] as const] : []),
      ];
    case 'quantity': {
      const isPlain = sameDimension(spec.dimension, {});
      const isTime = sameDimension(spec.dimension, { time: 1 });
      return [
        list,
        ['soon', isReduced || isPlain ? 'WRONG_TYPE' : 'UNKNOWN_UNIT'],
        ["'1 fortnite'", 'UNKNOWN_UNIT', 3],
        ['.nan', 'INVALID_VALUE'],
        ...outside(spec),
        ...(isReduced || isPlain || isTime ? [] : [["'1 ps'", 'WRONG_DIMENSION', 1] as const]),
      ];
    }
    case 'boolean':
      return [list, ['maybe', 'WRONG_TYPE'], ['1', 'WRONG_TYPE']];
    case 'string': // backends may be given by operator
      return [list, ['{ a: 1 }', 'WRONG_TYPE', spec === configurationEntries.backend ? 5 : 0]];
    case 'enum': {
      const wrong = misspelt(word, random);
      return [list, ...(spec.values.includes(wrong) ? [] : [[wrong, 'INVALID_VALUE'] as const])];
    }
    case 'file':
      return spec.mode === 'read' ? [list, ['nobody.txt', 'FILE_NOT_FOUND']] : [list];
    case 'particle_type':
      return [list, ['Unobtainium', 'UNKNOWN_TYPE']];
    case 'list':
      return [
        ['7', 'WRONG_TYPE'],
        ['{ a: 1 }', 'WRONG_TYPE'],
        ...(spec.length === undefined ? [] : [['[]', 'INVALID_VALUE'] as const]),
      ];
    case 'map':
    case 'record':
    case 'variant':
      return [
        ['7', 'WRONG_TYPE'],
        ['[1]', 'WRONG_TYPE'],
      ];
    case 'expression':
      return [list, ['nobodys_value > 2', 'UNKNOWN_KEY']];
    case 'template':
      return [list, ["'{nobodys_value}'", 'UNKNOWN_KEY', 2]];
    default:
      return [];
  }
}

/** Numbers beyond the bounds of a spec. */
function outside({
  min,
  max,
  above,
  below,
}: ValueSpec & { min?: number; max?: number; above?: number; below?: number }): Wrong[] {
  const numbers: number[] = [];
  if (min !== undefined) numbers.push(min - 1);
  if (above !== undefined) numbers.push(above);
  if (max !== undefined) numbers.push(max + 1);
  if (below !== undefined) numbers.push(below);
  return numbers.map((value) => [String(value), 'INVALID_VALUE']);
}

/** A word with a slip of the pen: a letter doubled, lost, replaced, or two that have changed places. */
export function misspelt(word: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, word.length - 1));
  const head = word.slice(0, at);
  const tail = word.slice(at);
  const slips = [
    `${head}${head.at(-1)}${tail}`,
    `${head}${tail.slice(1)}`,
    `${head}x${tail.slice(1)}`,
    `${head}${tail.slice(1, 2)}${tail.slice(0, 1)}${tail.slice(2)}`,
  ].filter((slip) => slip !== word && /^[A-Za-z]\w*$/.test(slip));
  return slips.length > 0 ? slips[random.below(slips.length)]! : `${word}x`;
}

const isName = (word: string): boolean =>
  (registry.operator(word) ?? registry.composite(word) ?? registry.hook(word)) !== undefined;

/** The document with some of its places spoilt, and what is to be told, as `line:column CODE`. */
export function spoil(text: string, chosen: readonly Spoiling[]) {
  const sorted = [...chosen].sort((a, b) => a.start - b.start);
  let spoilt = '';
  let done = 0;
  for (const { start, end, text: by } of sorted) {
    spoilt += text.slice(done, start) + by;
    done = end;
  }
  spoilt += text.slice(done);
  const expected = sorted.map((one) => {
    const before = sorted.filter(({ end }) => end <= one.at);
    const shift = before.reduce(
      (sum, { start, end, text: by }) => sum + by.length - (end - start),
      0,
    );
    const head = spoilt.slice(0, one.at + shift + one.inside);
    const line = head.split('\n').length;
    return { code: one.code, at: `${line}:${head.length - head.lastIndexOf('\n')}` };
  });
  return { text: spoilt, expected };
}
