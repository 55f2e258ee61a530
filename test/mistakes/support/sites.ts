import {
  configurationEntries,
  describeSpec,
  particleTypeEntries,
  type SlotSpec,
  type ValueSpec,
} from '@corpuscle/core';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { registry } from './documents.js';

/** A place of a document where a word or a value of a known kind stands: characters `start` … `end`−1. */
export type Site = {
  readonly start: number;
  readonly end: number;
  /** From 0. */
  readonly column: number;
  /** As it is written, with quotes. */
  readonly text: string;
} & (
  | { readonly kind: 'section' | 'operator' }
  /** The name of a slot or an entry; `removes`: the characters of all of it where it can be left out. */
  | {
      readonly kind: 'key';
      readonly siblings: readonly string[];
      readonly known: readonly string[];
      readonly isFlow: boolean;
      readonly needed?: { readonly by: number; readonly from: number; readonly to: number };
    }
  | { readonly kind: 'value'; readonly spec: ValueSpec; readonly isReduced: boolean }
);

type Specs = Readonly<Record<string, SlotSpec | ValueSpec>>;
interface Entry {
  readonly key: Node & { readonly value: string };
  readonly value: Node;
}

const sections = ['configuration', 'global', 'particle_types', 'simulation', 'matrix', 'includes'];

/** Finds out what stands where in a right document, by the specs of operators. Aliases, macros and templates are left alone. */
export function sitesOf(text: string): readonly Site[] {
  return new SiteFinder(text).sites;
}

class SiteFinder {
  readonly sites: Site[] = [];
  readonly #text: string;
  readonly #batches = new Set<string>();
  readonly #globals: readonly string[];
  readonly #outputs: ReadonlySet<string>;
  #isReduced = true;

  constructor(text: string) {
    this.#text = text;
    const document = parseDocument(text);
    const { global = {}, configuration } = document.toJS() as {
      global?: object;
      configuration?: { units?: unknown };
    };
    this.#globals = Object.keys(global ?? {});
    this.#isReduced = (configuration?.units ?? 'lj') === 'lj';
    this.#outputs = new Set(
      registry.operators.flatMap(({ slots }) =>
        Object.entries(slots)
          .filter(([, { direction }]) => direction === 'output' || direction === 'input_output')
          .map(([name]) => name),
      ),
    );
    const top = entriesOf(document.contents);
    for (const { key, value } of top)
      if (isSeq(value) && !registry.operator(key.value)) this.#batches.add(key.value);
    for (const entry of top) this.#section(entry);
  }

  #section({ key, value }: Entry): void {
    const name = key.value;
    if (/[(+]/.test(name) || name === 'matrix' || name === 'includes') return;
    const slots = (registry.operator(name) ?? registry.composite(name))?.slots;
    if (sections.includes(name)) this.#add(key, { kind: 'section' });
    if (name === 'configuration') {
      const units = { type: 'enum', values: ['lj', 'real', 'metal', 'si'] } as const;
      const given = entriesOf(value).find(({ key }) => key.value === 'units')?.value;
      this.#entries(value, { ...(isScalar(given) && { units }), ...configurationEntries });
    } else if (name === 'global') this.#globalsIn(value);
    else if (name === 'particle_types' && isMap(value))
      for (const type of entriesOf(value))
        this.#entries(type.value, particleTypeEntries, type.value.range![0]);
    else if (slots) this.#entries(value, given(slots));
    else this.#batch(value);
  }

  #globalsIn(map: Node): void {
    for (const { key, value } of entriesOf(map)) {
      const specs = registry.operators.flatMap(({ slots }) =>
        Object.hasOwn(slots, key.value) ? [slots[key.value]!] : [],
      );
      const kinds = new Set(specs.map(describeSpec));
      if (specs.length > 0 && kinds.size === 1) this.#value(value, specs[0]!);
    }
  }

  #batch(node: Node): void {
    if (isScalar(node) && typeof node.value === 'string') this.#named(node as never, undefined);
    else if (isSeq(node)) for (const item of node.items) this.#batch(item as Node);
    else if (isMap(node)) {
      const entries = entriesOf(node);
      const body = entries.find(({ key }) => key.value === 'body');
      if (!body) {
        if (entries.length === 1) this.#named(entries[0]!.key, entries[0]!.value);
        return;
      }
      // What stands in a body that is written out several times is several places.
      if (entries.some(({ key }) => key.value === 'unroll')) return;
      const siblings = entries.map(({ key }) => key.value);
      const known = ['name', 'body', 'rebind', 'condition', 'loop', 'unroll'];
      for (const { key } of entries)
        if (key.value !== 'body')
          this.#add(key, { kind: 'key', siblings, known, isFlow: this.#isFlow(node) });
      this.#batch(body.value);
    }
  }

  #named(key: Node & { value: string }, block: Node | undefined): void {
    const name = key.value;
    if (name.includes('(') || name === 'nop') return;
    const operator = registry.operator(name) ?? registry.composite(name);
    if (!operator && !this.#batches.has(name) && !registry.hook(name)) return;
    this.#add(key, { kind: 'operator' });
    const isOpen = operator && 'namedOutputs' in operator && operator.namedOutputs;
    if (operator && block && !isOpen) this.#entries(block, given(operator.slots), key.range![0]);
  }

  /** Keys and values of a map with known entries; `by`: where a mistake is told of what is absent. */
  #entries(map: Node, specs: Specs, by?: number): void {
    if (!isMap(map)) return;
    const entries = entriesOf(map);
    const siblings = entries.map(({ key }) => key.value);
    const known = Object.keys(specs);
    for (const [k, { key, value }] of entries.entries()) {
      const spec = specs[key.value];
      if (!spec) continue;
      const needed = by === undefined ? undefined : this.#needed(entries, k, spec, by, map);
      this.#add(key, {
        kind: 'key',
        siblings,
        known,
        isFlow: this.#isFlow(map),
        ...(needed && { needed }),
      });
      this.#value(value, spec);
    }
  }

  #needed(entries: readonly Entry[], k: number, spec: ValueSpec, by: number, map: Node) {
    const { key } = entries[k]!;
    const isRequired = 'required' in spec && spec.required;
    const comesElse = this.#globals.includes(key.value) || this.#outputs.has(key.value);
    if (!isRequired || comesElse || !this.#isFlow(map) || entries.length < 2) return undefined;
    const from = k === 0 ? key.range![0] : entries[k - 1]!.value.range![1];
    const to = k === 0 ? entries[1]!.key.range![0] : entries[k]!.value.range![1];
    return { by, from, to };
  }

  #isFlow(map: Node): boolean {
    return this.#text[map.range![0]] === '{';
  }

  #value(node: Node, spec: ValueSpec): void {
    if (spec.type === 'batch') this.#batch(node);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (spec.type === 'any_of') {
      const shape = isSeq(node) ? 'list' : isMap(node) ? 'map' : 'scalar';
      const fitting = spec.options.filter((option) => shapeOf(option) === shape);
      if (fitting.length === 1) this.#inside(node, fitting[0]!);
      return;
    }
    this.#add(node, { kind: 'value', spec, isReduced: this.#isReduced });
    this.#inside(node, spec);
  }

  #inside(node: Node, spec: ValueSpec): void {
    if (spec.type === 'list' && isSeq(node))
      for (const item of node.items) this.#value(item as Node, spec.of);
    if (spec.type === 'record')
      for (const { value } of entriesOf(node)) this.#value(value, spec.of);
    if (spec.type === 'map') this.#entries(node, spec.entries, node.range![0]);
    if (spec.type === 'variant') {
      const chosen = entriesOf(node).find(({ key }) => key.value === spec.key)?.value;
      const entries = spec.variants[String(isScalar(chosen) ? chosen.value : '')];
      if (entries) this.#entries(node, entries, node.range![0]);
    }
  }

  #add(node: Node, site: DistributedOmit<Site, 'start' | 'end' | 'column' | 'text'>): void {
    const [start, to] = node.range!;
    const text = this.#text.slice(start, to).trimEnd();
    const end = start + text.length;
    const column = start - this.#text.lastIndexOf('\n', start - 1) - 1;
    if (end > start) this.sites.push({ ...site, start, end, column, text });
  }
}

type DistributedOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** Pairs whose key is a word. */
const entriesOf = (map: unknown): Entry[] =>
  isMap(map)
    ? (map.items.filter(
        ({ key, value }) => isScalar(key) && typeof key.value === 'string' && value !== null,
      ) as unknown as Entry[])
    : [];

const given = (slots: Readonly<Record<string, SlotSpec>>): Specs =>
  Object.fromEntries(
    Object.entries(slots).filter(
      ([, { direction, type }]) => direction !== 'output' && type !== 'object',
    ),
  );

const shapeOf = ({ type }: ValueSpec): 'list' | 'map' | 'scalar' =>
  type === 'list' ? 'list' : ['map', 'record', 'variant'].includes(type) ? 'map' : 'scalar';
