import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { MapEntry, MapNode, ScalarValue, SourceNode } from './SourceNode.js';
import type { SourceText } from './SourceText.js';

/**
 * Reads the YAML of `source` from character `offset` on. Anchors, aliases and `<<` merge keys are resolved.
 * @throws CorpuscleError SYNTAX with the place of the first mistake; duplicate keys are one.
 */
export function parseYaml(source: SourceText, offset = 0): SourceNode {
  const text = source.text.slice(offset);
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true, strict: true });
  // Unknown tags are warnings to the parser; to a simulation they are mistakes too.
  const mistake = document.errors[0] ?? document.warnings[0];
  if (mistake) {
    const [start, end] = mistake.pos;
    const width = mistake.code === 'DUPLICATE_KEY' ? keyAt(text, start).length : end - start;
    throw source.error('SYNTAX', messageOf(mistake, text), start + offset, start + width + offset);
  }
  return new Converter(source, offset, document).convert(document.contents, []);
}

function messageOf(
  error: { code: YAMLParseError['code']; message: string; pos: [number, number] },
  text: string,
): string {
  if (error.code === 'DUPLICATE_KEY') {
    return `the key '${keyAt(text, error.pos[0])}' appears twice: keep one`;
  }
  if (error.code === 'TAB_AS_INDENT') return 'a tab indents this line: use spaces';
  if (error.code === 'MULTIPLE_DOCS')
    return 'a file holds one document: remove the second one behind ---';
  const [first = ''] = error.message.split('\n');
  return `this is no valid YAML: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

const keyAt = (text: string, start: number): string => /^[^\s:]*/.exec(text.slice(start))![0];

class Converter {
  readonly #source: SourceText;
  readonly #offset: number;
  readonly #document: Document;
  // One node per anchor, however often it is used: nested aliases cannot blow up.
  readonly #done = new Map<unknown, SourceNode>();

  constructor(source: SourceText, offset: number, document: Document) {
    this.#source = source;
    this.#offset = offset;
    this.#document = document;
  }

  convert(node: unknown, open: readonly unknown[]): SourceNode {
    const done = this.#done.get(node);
    if (done) return done;
    const result = this.#convert(node, open);
    if (node !== null) this.#done.set(node, result);
    return result;
  }

  #convert(node: unknown, open: readonly unknown[]): SourceNode {
    const place = this.#place(node);
    if (open.includes(node)) {
      throw this.#source.error(
        'SYNTAX',
        'this value contains itself: break the circle of aliases',
        place.start,
        place.end,
      );
    }
    const inside = [...open, node];
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target) return this.convert(target, inside);
      throw this.#source.error(
        'SYNTAX',
        `the alias '*${node.source}' has no anchor before it: add '&${node.source}'`,
        place.start,
        place.end,
      );
    }
    if (isSeq(node)) {
      return {
        ...place,
        kind: 'list',
        items: node.items.map((item) => this.convert(item, inside)),
      };
    }
    if (isMap(node)) return this.#map(node, inside, place);
    const value: ScalarValue = isScalar(node) ? (node.value as ScalarValue) : null;
    const quoted =
      isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
    return {
      ...place,
      kind: 'scalar',
      value: typeof value === 'bigint' ? Number(value) : value,
      textStart: place.start + (quoted ? 1 : 0),
    };
  }

  #map(node: YAMLMap, open: readonly unknown[], place: Omit<MapNode, 'kind' | 'entries'>): MapNode {
    const entries = new Map<string, MapEntry>();
    const inherited: MapEntry[] = [];
    for (const pair of node.items) {
      const entry = this.#entry(pair, open);
      if (entry.key !== '<<') entries.set(entry.key, entry);
      else inherited.push(...this.#inherited(entry));
    }
    for (const entry of inherited) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return { ...place, kind: 'map', entries };
  }

  #entry(pair: Pair, open: readonly unknown[]): MapEntry {
    const place = this.#place(pair.key);
    if (!isScalar(pair.key) || pair.key.value === null) {
      throw this.#source.error('SYNTAX', 'this is no key: use a name', place.start, place.end);
    }
    const key =
      typeof pair.key.value === 'string'
        ? pair.key.value
        : (pair.key.source ?? String(pair.key.value));
    const value = pair.value === null ? undefined : this.convert(pair.value, open);
    // Nothing behind the key has no place of its own: the key stands for it.
    if (!value || (value.kind === 'scalar' && value.value === null && value.start === value.end)) {
      return {
        ...place,
        key,
        value: { ...place, kind: 'scalar', value: null, textStart: place.end },
      };
    }
    return { ...place, key, value };
  }

  #inherited({ value, ...key }: MapEntry): readonly MapEntry[] {
    const maps = value.kind === 'list' ? value.items : [value];
    return maps.flatMap((map) => {
      if (map.kind === 'map') return [...map.entries.values()];
      throw this.#source.error(
        'SYNTAX',
        "'<<' takes a map or a list of maps: use an alias such as *name",
        key.start,
        key.end,
      );
    });
  }

  #place(node: unknown): { source: SourceText; start: number; end: number } {
    const range = (node as { range?: [number, number, number] } | null)?.range;
    const [start, end] = range ?? [0, 0];
    return { source: this.#source, start: start + this.#offset, end: end + this.#offset };
  }
}
