import { CorpuscleError } from '@corpuscle/functor/error';

/** What a declaration of WGSL at the outermost level begins with, up to its name. */
const NAME = /\b(?:fn|struct|alias|override|const|var(?:<[^>]*>)?)\s+(\w+)/g;

/** A declaration with the comment and the empty lines before it. */
interface Declaration {
  readonly text: string;
  /** Names that it declares: one, where a line has only one declaration. */
  readonly names: readonly string[];
  /** Every word of its code. */
  readonly words: readonly string[];
}

/**
 * The declarations that some code reaches, in their order: texts that several kernels share declare more than each of them uses.
 *
 * @param declarations structs, functions and variables, each on lines of its own.
 * @param code what uses them.
 */
export function usedDeclarations(declarations: string, code: string): string {
  const all = declarationsOf(declarations);
  const byName = new Map<string, Declaration>();
  for (const one of all) {
    const [name] = one.names;
    if (name) checkSame(byName.get(name), one);
    for (const each of one.names) byName.set(each, one);
  }
  const used = new Set<Declaration>();
  const reach = (words: readonly string[]): void => {
    for (const word of words) {
      const one = byName.get(word);
      if (!one || used.has(one)) continue;
      used.add(one);
      reach(one.words);
    }
  };
  reach(wordsOf(withoutComments(code)));
  for (const one of all) if (one.names.length === 0) reach(one.words);
  return all
    .filter((one) => used.has(one) || one.names.length === 0)
    .map(({ text }) => text)
    .join('\n');
}

/** Parts of a kernel share declarations, but none may hide another one of its name. */
function checkSame(before: Declaration | undefined, one: Declaration): void {
  const [name] = one.names;
  if (!before || before.names[0] !== name || codeOf(before) === codeOf(one)) return;
  throw new CorpuscleError('INTERNAL', `a kernel has two declarations of '${name}'`);
}

/** Names that are declared at the outermost level. */
export const declaredNames = (declarations: string): readonly string[] =>
  declarationsOf(declarations).flatMap(({ names }) => names);

/** Declarations without that of a name. */
export const withoutDeclaration = (declarations: string, name: string): string =>
  declarationsOf(declarations)
    .filter(({ names }) => !names.includes(name))
    .map(({ text }) => text)
    .join('\n');

/** A declaration ends with the line that closes its brackets. */
function declarationsOf(text: string): Declaration[] {
  const found: Declaration[] = [];
  let lines: string[] = [];
  let depth = 0;
  const end = (): void => {
    const whole = lines.join('\n');
    const code = withoutComments(whole);
    const names = [...code.matchAll(NAME)].map(([, name]) => name!);
    found.push({ text: whole, names, words: wordsOf(code) });
    lines = [];
  };
  for (const line of text.split('\n')) {
    lines.push(line);
    const code = withoutComments(line).trim();
    for (const character of code) {
      if ('{(['.includes(character)) depth++;
      else if ('})]'.includes(character)) depth--;
    }
    if (depth === 0 && /[};]$/.test(code)) end();
  }
  if (lines.length > 0) end();
  return found;
}

const codeOf = ({ text }: Declaration): string => withoutComments(text).trim();

const withoutComments = (text: string): string => text.replace(/\/\/.*$/gm, '');

const wordsOf = (code: string): readonly string[] => code.match(/[A-Za-z_]\w*/g) ?? [];
