/** Other words for what a text does with elements of a buffer. Texts of indices and values are rewritten before. */
export interface ElementAccess {
  /** The element. Where nothing else is said, it is also where values are stored, and what atomic functions are given. */
  readonly at: (index: string) => string;
  /** The statement `name[index] = value;`. With a member and an operator it is `name[index].x += value;`. */
  readonly store?: (index: string, value: string, member: string, operator: string) => string;
  /** How a call of an atomic function begins, `atomicAdd(&name[index]`. @param call its name */
  readonly atomic?: (call: string, index: string) => string;
}

/** A text that reaches elements of these buffers, `name[index]`, in other words. */
export function withElements(text: string, access: ReadonlyMap<string, ElementAccess>): string {
  if (access.size === 0) return text;
  const reach = new RegExp(`(?<![\\w.])(${[...access.keys()].join('|')})\\[`, 'g');
  let out = '';
  let at = 0;
  for (let found = reach.exec(text); found; found = reach.exec(text)) {
    const one = access.get(found[1]!)!;
    const close = closingBracket(text, reach.lastIndex - 1);
    const index = withElements(text.slice(reach.lastIndex, close), access);
    const before = text.slice(at, found.index);
    const call = one.atomic && /(atomic\w+)\(&$/.exec(before)?.[1];
    const stored = one.store && STORE.exec(text.slice(close + 1));
    at = close + 1;
    if (call) {
      out += `${before.slice(0, -`${call}(&`.length)}${one.atomic!(call, index)}`;
    } else if (stored) {
      const [head, member, operator] = stored;
      const end = text.indexOf(';', at);
      const value = withElements(text.slice(at + head.length, end), access);
      out += before + one.store!(index, value.trim(), member!, operator!);
      at = end + 1;
    } else out += before + one.at(index);
    reach.lastIndex = at;
  }
  return out + text.slice(at);
}

/** What makes an element the left side of an assignment: members of it, and the operator. */
const STORE = /^((?:\.\w+|\[\w+\])*)\s*([-+*/|&^]?=)(?!=)/;

/** Where the bracket that opens at `open` is closed. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']' && --depth === 0) return at;
  }
  throw new Error(`no ] in '${text.slice(open, open + 40)}'`);
}

/** Words of code, and comments as they are. Members have no names of their own. */
const WORD = /\/\/.*$|(?<![.\w])[A-Za-z_]\w*/gm;

/** A text with other names: of variables, functions and types, not of members. */
export const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(WORD, (word) => names.get(word) ?? word);
