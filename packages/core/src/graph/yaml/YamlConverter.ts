import type { CorpuscleError } from '@corpuscle/functor/error';
import { isAlias, isMap, isScalar, isSeq, type Pair, Scalar, type YAMLMap } from 'yaml';
import { limits } from '../../io/limits.js';
import { TOO_DEEP } from './composeYaml.js';
import { decimalComma } from './decimalComma.js';
import type { MapEntry, MapNode, ScalarValue, SourceNode } from './SourceNode.js';
import type { SourceText } from './SourceText.js';

/** Told of a mistake that does not keep the rest from being read. */
export type Note = (mistake: CorpuscleError) => void;

interface Extent {
  /** Nodes in it, those of aliases counted at each use. */
  readonly size: number;
  /** Maps and lists inside each other. */
  readonly depth: number;
}

interface Place {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

const LEAF: Extent = { size: 1, depth: 0 };

/**
 * Makes source nodes from the nodes of the YAML library. Aliases give the node of their anchor, and merge keys its
 * entries, so that what a few lines of aliases stand for is known, and refused, before anybody walks it.
 */
export class YamlConverter {
  readonly #source: SourceText;
  readonly #offset: number;
  readonly #anchors = new Map<string, unknown>();
  // One node per anchor, however often it is used: nested aliases cannot blow up.
  readonly #done = new Map<unknown, SourceNode>();
  readonly #extents = new Map<SourceNode, Extent>();
  readonly #open = new Set<unknown>();
  #aliased = 0;

  readonly #note: Note | undefined;

  /** @param note told of equal keys, of which the first counts; without it they are thrown */
  constructor(source: SourceText, offset: number, note?: Note) {
    this.#source = source;
    this.#offset = offset;
    this.#note = note;
  }

  /** @throws CorpuscleError SYNTAX for equal keys where no mistakes are collected, unknown anchors, circles, and what is above a limit. */
  convert(node: unknown): SourceNode {
    const done = this.#done.get(node);
    if (done) return done;
    const place = this.#place(node);
    if (this.#open.has(node))
      this.#fail(place, 'this value contains itself: break the circle of aliases');
    this.#open.add(node);
    this.#noteAnchor(node);
    const result = this.#convert(node, place);
    this.#open.delete(node);
    this.#measure(result, place);
    if (node !== null) this.#done.set(node, result);
    return result;
  }

  #convert(node: unknown, place: Place): SourceNode {
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined) {
        const name = node.source.slice(0, 100);
        this.#fail(place, `the alias '*${name}' has no anchor before it: add '&${name}'`);
      }
      const result = this.convert(target);
      this.#aliased += this.#extents.get(result)!.size;
      if (this.#aliased > limits.aliasedNodes)
        this.#fail(
          place,
          `aliases make more than ${limits.aliasedNodes} values of this document: write less of it with aliases`,
        );
      return result;
    }
    if (isSeq(node))
      return { ...place, kind: 'list', items: node.items.map((item) => this.convert(item)) };
    if (isMap(node)) return this.#map(node, place);
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

  #map(node: YAMLMap, place: Place): MapNode {
    const entries = new Map<string, MapEntry>();
    const inherited: MapEntry[] = [];
    const seen = new Set<string>();
    let last: MapEntry | undefined;
    for (const pair of node.items) {
      const entry = this.#entry(pair);
      if (seen.has(entry.key)) {
        this.#noteTwice(entry);
        continue;
      }
      const meant = last && decimalComma(last, entry);
      if (meant) {
        this.#noteComma(last!.key, meant);
        this.#extents.set(meant, LEAF);
        entries.set(last!.key, { ...last!, value: meant });
        continue;
      }
      last = entry;
      seen.add(entry.key);
      if (seen.size > limits.mapKeys)
        this.#fail(entry, `this map has more than ${limits.mapKeys} keys: use a list, or a file`);
      if (entry.key !== '<<') entries.set(entry.key, entry);
      else inherited.push(...this.#inherited(entry));
    }
    for (const entry of inherited) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return { ...place, kind: 'map', entries };
  }

  #noteTwice({ key, start, end }: MapEntry): void {
    this.#tell(`the key '${key.slice(0, 100)}' appears twice: keep one`, start, end);
  }

  #noteComma(key: string, { start, end }: SourceNode): void {
    const written = this.#source.text.slice(start, end);
    const meant = written.replace(',', '.');
    this.#tell(
      `${key} has a decimal comma, '${written}': write a decimal point, '${meant}'`,
      start,
      end,
    );
  }

  /** Tells of a mistake, after which the rest can be read. */
  #tell(message: string, start: number, end: number): void {
    const error = this.#source.error('SYNTAX', message, start, end);
    if (!this.#note) throw error;
    this.#note(error);
  }

  #entry(pair: Pair): MapEntry {
    const place = this.#place(pair.key);
    if (!isScalar(pair.key) || pair.key.value === null)
      this.#fail(place, 'this is no key: use a name');
    this.#noteAnchor(pair.key);
    const key =
      typeof pair.key.value === 'string'
        ? pair.key.value
        : (pair.key.source ?? String(pair.key.value));
    const value = pair.value === null ? undefined : this.convert(pair.value);
    // Nothing after the key has no place of its own: the key stands for it.
    if (!value || (value.kind === 'scalar' && value.value === null && value.start === value.end)) {
      const nothing: SourceNode = { ...place, kind: 'scalar', value: null, textStart: place.end };
      this.#extents.set(nothing, LEAF);
      return { ...place, key, value: nothing };
    }
    return { ...place, key, value };
  }

  #inherited({ value, ...key }: MapEntry): readonly MapEntry[] {
    const maps = value.kind === 'list' ? value.items : [value];
    return maps.flatMap((map) => {
      if (map.kind === 'map') return [...map.entries.values()];
      return this.#fail(key, "'<<' takes a map or a list of maps: use an alias such as *name");
    });
  }

  #noteAnchor(node: unknown): void {
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  #measure(node: SourceNode, place: Place): void {
    if (this.#extents.has(node)) return;
    if (node.kind === 'scalar') {
      this.#extents.set(node, LEAF);
      return;
    }
    let size = 1;
    let depth = 0;
    const children =
      node.kind === 'list' ? node.items : [...node.entries.values()].map(({ value }) => value);
    for (const child of children) {
      const extent = this.#extents.get(child)!;
      size += extent.size;
      depth = Math.max(depth, extent.depth);
    }
    if (depth + 1 > limits.documentDepth) this.#fail(place, TOO_DEEP);
    this.#extents.set(node, { size, depth: depth + 1 });
  }

  #fail({ start, end }: { readonly start: number; readonly end: number }, message: string): never {
    throw this.#source.error('SYNTAX', message, start, end);
  }

  #place(node: unknown): Place {
    const range = (node as { range?: [number, number, number] } | null)?.range;
    const [start, end] = range ?? [0, 0];
    return { source: this.#source, start: start + this.#offset, end: end + this.#offset };
  }
}
