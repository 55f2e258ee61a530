import { yamlLines } from './yamlLines.js';

/** What may stand in a file of ours. */
export type Value =
  | string
  | number
  | boolean
  | readonly Value[]
  | { readonly [key: string]: Value | undefined };

/** Slots of an operator; those that are undefined are left out. */
export type Slots = { readonly [key: string]: Value | undefined };

type Item = { readonly value: Value } | { readonly comment: string };

/** A list of operators that grows, with comments between them. */
export class Batch {
  readonly #items: Item[] = [];

  /** Adds an operator, with slots or without. */
  add(name: string, slots: Slots = {}): void {
    this.addValue({ [name]: slots });
  }

  /** Adds `{ name: slots }`, or a name. */
  addValue(value: Value): void {
    const [[name, slots] = ['']] = typeof value === 'object' ? Object.entries(value) : [];
    const isName = name !== '' && JSON.stringify(slots) === '{}';
    this.#items.push({ value: isName ? name : value });
  }

  /** Adds all that another batch has. */
  addAll(other: Batch): void {
    this.#items.push(...other.#items);
  }

  addComment(comment: string): void {
    this.#items.push({ comment });
  }

  get operators(): readonly Value[] {
    return this.#items.flatMap((item) => ('value' in item ? [item.value] : []));
  }

  /** What stands for a list without operators: that nothing runs, or where comments tell what it was, a list that `check` refuses. */
  get empty(): Value {
    return this.#items.length === 0 ? 'nop' : [];
  }

  /** `key:` and its list; comments alone have no key. */
  lines(key: string): string[] {
    const none = this.operators.length === 0;
    const body = this.#items.flatMap((item) =>
      'comment' in item
        ? commentLines(item.comment, none ? '' : '  ')
        : yamlLines(item.value).map((line, k) => (k === 0 ? `  - ${line}` : `    ${line}`)),
    );
    return none ? body : [`${key}:`, ...body];
  }
}

/** Lines of a comment; nothing of it can become YAML. */
function commentLines(comment: string, indent: string): string[] {
  // Every character that YAML or a terminal takes for the end of a line, or for a command.
  return comment
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => `${indent}# ${line.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ').trimEnd()}`);
}

/** A key of the file, and what stands there. */
export type Section = readonly [key: string, content: Value | Batch];

/**
 * The text of a simulation file.
 * @param head comments at the beginning
 * @example
 * draftText(['from in.melt'], [['global', { dt: 0.005 }]]); // '# from in.melt\nglobal: { dt: 0.005 }\n'
 */
export function draftText(head: readonly string[], sections: readonly Section[]): string {
  const lines = head.flatMap((comment) => commentLines(comment, ''));
  for (const [key, content] of sections)
    lines.push(...(content instanceof Batch ? content.lines(key) : yamlLines({ [key]: content })));
  return `${lines.join('\n')}\n`;
}
