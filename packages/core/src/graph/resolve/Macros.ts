import { didYouMean } from '../../error/nearestName.js';
import { errorAt, type MapEntry, type ScalarNode, type SourceNode } from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { substitute } from './substitute.js';

const CALL = /^\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*$/;

/** Whether a key of a document defines a macro: `shell(r, name)`. */
export const isMacro = (key: string): boolean => CALL.test(key);

interface Macro {
  readonly entry: MapEntry;
  readonly params: readonly string[];
}

/** What a use of a macro stands for. */
export interface ExpandedMacro {
  /** The key that defines it. */
  readonly key: string;
  readonly body: SourceNode;
}

/**
 * Macros: batches with parameters. What was written for a place of the text is kept, so that operators there are one place, however
 * often the batch around them is used.
 *
 *   shell(r): [radial_distribution: { cutoff: r, file: 'rdf_${r}.csv' }]
 *   dump_data: [shell(2.5), shell(4)]
 */
export class Macros {
  readonly #definitions: Definitions;
  readonly #macros = new Map<string, Macro>();
  readonly #expanded = new Map<SourceNode | MapEntry, SourceNode>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    for (const entry of definitions.entries.values()) {
      const [, name, list] = CALL.exec(entry.key) ?? [];
      if (name === undefined) continue;
      const params = wordsOf(list!).map(({ text }) => text);
      definitions.mistakes.attempt(() => this.#assertSound(name, params, entry), undefined);
      this.#macros.set(name, { entry, params });
    }
  }

  /** Whether there is a macro of this name. */
  readonly has = (name: string): boolean => this.#macros.has(name);

  /** What `name(values)` stands for; undefined for a name without values. @throws CorpuscleError at the use */
  expand(text: string, place: SourceNode | MapEntry): ExpandedMacro | undefined {
    const [, name, list] = CALL.exec(text) ?? [];
    if (name === undefined) return undefined;
    const macro = this.#macros.get(name);
    if (!macro)
      throw errorAt(
        place,
        'UNKNOWN_OPERATOR',
        `there is no macro '${name}'${didYouMean(name, this.#macros.keys(), `define it: '${name}(…): [operators]'`)}`,
      );
    const { entry, params } = macro;
    const known = this.#expanded.get(place);
    if (known) return { key: entry.key, body: known };
    const args = wordsOf(list!);
    if (args.length !== params.length)
      throw errorAt(
        place,
        'INVALID_VALUE',
        `${text} gives ${args.length} ${args.length === 1 ? 'value' : 'values'}: '${entry.key}' takes ${params.length}`,
      );
    const start = 'textStart' in place ? place.textStart : place.start;
    const from = start + text.indexOf('(') + 1;
    const values = args.map((arg, k) => [params[k]!, scalarOf(arg, from, place)] as const);
    const body = substitute(entry.value, new Map(values), this.has);
    this.#expanded.set(place, body);
    return { key: entry.key, body };
  }

  #assertSound(name: string, params: readonly string[], entry: MapEntry): void {
    const { registry } = this.#definitions;
    const wrong = params.find((param, k) => !/^\w+$/.test(param) || params.indexOf(param) !== k);
    if (wrong !== undefined)
      throw errorAt(
        entry,
        'INVALID_VALUE',
        `'${wrong}' cannot be a parameter of ${name}: give each a word of its own`,
      );
    if (registry.operator(name) ?? registry.composite(name) ?? this.#macros.get(name))
      throw errorAt(entry, 'INVALID_VALUE', `'${name}' is taken: give the macro another name`);
  }
}

interface Word {
  readonly text: string;
  readonly at: number;
}

/** Values between commas, with their places. */
function wordsOf(list: string): Word[] {
  if (list.trim() === '') return [];
  return [...list.matchAll(/(^|,)\s*('[^']*'|[^,]*)/g)].map((match) => {
    const text = match[2]!.trim();
    return { text, at: match.index + match[0].length - match[2]!.length };
  });
}

/** A value as YAML would read it. */
function scalarOf({ text, at }: Word, from: number, { source }: SourceNode | MapEntry): ScalarNode {
  const isQuoted = text.startsWith("'") && text.endsWith("'") && text.length > 1;
  const number = Number(text);
  const value = isQuoted
    ? text.slice(1, -1)
    : text === 'true' || text === 'false'
      ? text === 'true'
      : text !== '' && Number.isFinite(number)
        ? number
        : text;
  const start = from + at;
  const textStart = start + (isQuoted ? 1 : 0);
  return { kind: 'scalar', source, start, end: start + Math.max(1, text.length), value, textStart };
}
